import { describe, expect, it } from 'vitest';
import { anthropicStatus, CATALOGUE } from './catalogue.ts';
import { GatewayError } from './gateway-error.ts';
import { printErrorTable, printFailureTable } from './print.ts';
import { FAILURE_TABLE } from './table.ts';

describe('catalogue', () => {
  it('has each code of the contract, in full', () => {
    for (const [code, entry] of Object.entries(CATALOGUE)) {
      expect(entry.code).toBe(code);
      expect(entry.status).toBeGreaterThanOrEqual(400);
      for (const text of [entry.meaning, entry.remedy, entry.openaiType, entry.anthropicType, entry.geminiStatus]) {
        expect(text.length, code).toBeGreaterThan(3);
      }
    }
    expect(Object.keys(CATALOGUE)).toHaveLength(25);
  });

  it('tells Anthropic clients 529 for overload, and only for it', () => {
    const at529 = Object.values(CATALOGUE).filter((entry) => anthropicStatus(entry.code) === 529);
    expect(at529.map((entry) => entry.code).sort()).toEqual([
      'gateway_overloaded',
      'no_target_available',
      'service_unavailable',
    ]);
    expect(at529.every((entry) => entry.status === 503 && entry.anthropicType === 'overloaded_error')).toBe(true);
  });

  it('never gives our own faults the statuses that clients storm at', () => {
    for (const entry of Object.values(CATALOGUE).filter(({ component }) => component !== 'client')) {
      expect([401, 402, 403, 404, 422], entry.code).not.toContain(entry.status);
    }
  });
});

describe('printed tables', () => {
  const cells = (line: string) => line.split(/(?<!\\)\|/).length - 2;

  it('have a line for each row', () => {
    const failures = printFailureTable().trim().split('\n');
    expect(failures).toHaveLength(FAILURE_TABLE.length + 2);
    expect(new Set(failures.map(cells))).toEqual(new Set([7]));
    expect(failures[2]).toMatch(
      /^\| 1 \| \*\*retired model\*\*: .* \| `model_gone` \| next target \| target, all credentials \| 24 h \| – \|$/,
    );
    const errors = printErrorTable().trim().split('\n');
    expect(errors).toHaveLength(Object.keys(CATALOGUE).length + 2);
    expect(new Set(errors.map(cells))).toEqual(new Set([8]));
  });
});

describe('GatewayError', () => {
  it('comes from anything', () => {
    const own = new GatewayError('forbidden', 'no', { class: 'permission' });
    expect(GatewayError.from(own)).toBe(own);
    expect(own).toMatchObject({ code: 'forbidden', component: 'client', class: 'permission', message: 'no' });
    const hostile = {
      get message(): string {
        throw new Error('x');
      },
    };
    for (const thrown of [
      new Error('boom sk-aaaa1111bbbb2222'),
      'text',
      null,
      undefined,
      7,
      hostile,
      Object.create(null),
    ]) {
      const error = GatewayError.from(thrown);
      expect(error).toMatchObject({ code: 'internal_error', component: 'gateway', class: null });
      expect(error.cause).toBe(thrown);
      expect(error.message).not.toContain('aaaa1111');
    }
  });
});
