import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../config/address.ts';
import { classify } from '../core/failure/classify.ts';
import type { FailureSignal } from '../core/failure/signal.ts';
import { PRESETS } from './registry.ts';

const preset = (name: string) => PRESETS.find((candidate) => candidate.name === name);

describe('presets', () => {
  it('are one folder each', () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(PRESETS.map(({ name }) => name).sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  it('have base URLs that are right as they are', () => {
    for (const { name, baseUrl } of PRESETS) {
      if (baseUrl === null) continue;
      expect(parseBaseUrl(baseUrl).ok, name).toBe(true);
      expect(baseUrl.startsWith('https://') || name === 'ollama', name).toBe(true);
    }
  });

  it('name a model wherever they name a key', () => {
    for (const { keyVariable, models } of PRESETS) if (keyVariable !== null) expect(models.length).toBeGreaterThan(0);
    const doors = PRESETS.flatMap(({ keyVariable, protocol }) =>
      keyVariable === null ? [] : [`${keyVariable} ${protocol}`],
    );
    // One key, one vendor: who shares it is the same vendor by another protocol.
    expect(new Set(doors).size).toBe(doors.length);
    for (const one of PRESETS) {
      const others = PRESETS.filter(({ keyVariable }) => keyVariable !== null && keyVariable === one.keyVariable);
      expect(new Set(others.map(({ baseUrl }) => (baseUrl === null ? '' : new URL(baseUrl).host))).size).toBeLessThan(
        2,
      );
    }
  });
});

describe('rows of vendors', () => {
  const signal = (status: number, message: string): FailureSignal => ({
    cause: { kind: 'status' },
    provider: 'p',
    protocol: 'openai-chat',
    translated: false,
    status,
    headers: {},
    error: { status: null, code: null, type: null, param: null, message },
    body: 'json',
    anyByte: true,
    anyEvent: false,
    anyItem: false,
    committed: false,
    at: 0,
  });
  const outcome = (name: string, status: number, message: string) =>
    classify(signal(status, message), preset(name)?.failureRows ?? []);

  it('groq: no capacity for the flex tier is overload', () => {
    expect(outcome('groq', 498, 'Flex tier capacity exceeded')).toMatchObject({
      outcome: 'overloaded',
      again: true,
      weight: 1,
    });
  });

  it('openrouter: no endpoint that can is a missing capability, not a missing model', () => {
    expect(outcome('openrouter', 404, 'No endpoints found that support tool use. To learn more …')).toMatchObject({
      outcome: 'unsupported_capability',
      feature: 'tools',
      hold: null,
    });
    expect(outcome('openrouter', 404, 'No endpoints found that support image input')).toMatchObject({
      feature: 'images',
    });
    expect(outcome('openrouter', 404, 'No endpoints found for x/y.').outcome).toBe('model_not_found');
  });
});
