import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { EXIT } from '../../src/cli/exit-code.ts';
import { BREACH_LAWS } from '../../src/core/attempt/reconcile.ts';
import { RELAY_EDITS } from '../../src/core/model/event.ts';
import {
  AUDIT_ACTIONS,
  auditList,
  overviewView,
  sessionView,
  usageReport,
} from '../../src/management/activity-contract.ts';
import { modelEntryList } from '../../src/management/config-contract.ts';
import {
  explanationView,
  planAnswer,
  problemView,
  reconciliationView,
  requestView,
  scopeList,
} from '../../src/management/contract.ts';
import { OPERATIONS } from '../../src/management/operations.ts';
import { OWN_CODES } from '../../src/management/problem-code.ts';
import { readinessView } from '../../src/management/readiness-contract.ts';
import { simulationAnswer } from '../../src/management/simulation-contract.ts';
import { FORWARDED_HEADERS } from '../../src/server/headers.ts';
import { MANNERS } from '../../src/server/manners.ts';
import { ROUTES } from '../../src/server/routes.ts';
import { listFences } from '../kit/page.ts';
import { TOP } from './source.ts';

const read = (file: string): string => readFileSync(join(TOP, file), 'utf8');

describe('docs/api.md', () => {
  const page = read('docs/api.md');

  /** The first JSON sample behind a heading. */
  const sampleOf = (heading: string): unknown => {
    const rest = page.slice(page.indexOf(`\n### ${heading}\n`));
    return JSON.parse(listFences(rest).find(({ lang }) => lang === 'json')?.text ?? '');
  };

  const shapes: readonly (readonly [string, z.ZodType])[] = [
    ['requests', requestView],
    ['explain', explanationView],
    ['targets', scopeList],
    ['readiness', readinessView],
    ['plan', planAnswer],
    ['simulate', simulationAnswer],
    ['reconcile', reconciliationView],
    ['overview', overviewView],
    ['usage', usageReport],
    ['models and providers', modelEntryList],
    ['audit', auditList],
    ['session', sessionView],
    ['Errors of the management API', problemView],
  ];

  it.each(shapes)('shows the shape of %s as the contract has it', (heading, shape) => {
    expect(shape.safeParse(sampleOf(heading)).error).toBeUndefined();
  });

  it('names every law that a record may break', () => {
    expect(BREACH_LAWS.filter((law) => !page.includes(`\`${law}\``))).toEqual([]);
  });

  it('explains every code that only the management API has, as does docs/errors.md', () => {
    const errors = page.slice(page.indexOf('### Errors of the management API'));
    for (const text of [errors, read('docs/errors.md')])
      expect(OWN_CODES.filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });

  it('names every action that is kept', () => {
    expect(AUDIT_ACTIONS.filter((action) => !page.includes(`\`${action}\``))).toEqual([]);
  });

  it('names every header that is read and passed on', () => {
    const names = [...FORWARDED_HEADERS, ...MANNERS.map(({ header }) => header)];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('names every edit of a relay', () => {
    expect(RELAY_EDITS.filter((edit) => !page.includes(`\`${edit}\``))).toEqual([]);
  });

  it('names a path for every route and operation', () => {
    const paths = [...page.matchAll(/(?<=[ `(])\/[\w./-]*(?:\{\w+\}|…)?[\w/:-]*/g)].map(([path]) =>
      path.replace(/\{\w+\}/, 'x').replace('…', 'x'),
    );
    const isNamed = (pattern: RegExp, prefix = ''): boolean =>
      paths.some((path) => path.startsWith(prefix) && pattern.test(path.slice(prefix.length)));
    expect(ROUTES.filter(({ path }) => !isNamed(path)).map(({ path }) => String(path))).toEqual([]);
    const unnamed = OPERATIONS.filter(({ path }) => !isNamed(path, '/api/v1') && !isNamed(path, ''));
    expect(unnamed.map(({ path }) => String(path)).filter((path) => !/disable|enable/.test(path))).toEqual([]);
  });
});

describe('docs/cli.md', () => {
  const page = read('docs/cli.md');
  const source = read('src/cli/command-line.ts');

  it('has every command', () => {
    const commands = [...source.matchAll(/(?:\.|= )?\bcommand\('(\w+)'/g)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(7);
    expect(commands.filter((name) => !page.includes(`[\`${name}\`](#${name})`))).toEqual([]);
  });

  it('has every option', () => {
    const options = [...source.matchAll(/'(?:-\w, )?(--[\w-]+)/g)].map(([, name]) => name ?? '');
    const hidden = ['--version'];
    expect(options.length).toBeGreaterThan(10);
    expect(options.filter((name) => !hidden.includes(name) && !page.includes(name))).toEqual([]);
  });

  it('has every exit code', () => {
    const told = [...page.matchAll(/^\| (\d) \| /gm)].map(([, code]) => Number(code));
    expect(told).toEqual([...new Set<number>(Object.values(EXIT))].sort((a, b) => a - b));
  });
});

describe('docs/clients.md', () => {
  it('numbers its manners without a gap', () => {
    const manners = read('docs/clients.md').split('## Manners')[1] ?? '';
    const numbers = [...manners.matchAll(/^(\d+)\. \*\*/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
  });
});
