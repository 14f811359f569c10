import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { modelOf, reportOf, routeOf } from '../../test/kit/fake-prober.ts';
import type { ReadinessReport } from '../core/readiness/report.ts';
import { canServe, orderOfService, renderReadiness } from './readiness-lines.ts';
import { createTerminal } from './terminal.ts';

const NOW = Date.parse('2026-11-30T12:00:00.000Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

function linesOf(report: ReadinessReport, { columns = 120, isTTY = true, all = false } = {}): readonly string[] {
  const side = { write: () => {}, isTTY, columns };
  const text = renderReadiness(createTerminal(side, side, {}), report, NOW, all);
  return stripVTControlCharacters(text).split('\n');
}

const limited = (id: string, seconds: number) =>
  routeOf(id, 'deferred', { reason: 'rate_limited', http_status: 429, next_check_at: at(seconds) });
const gone = (id: string) =>
  routeOf(id, 'rejected', { reason: 'model_not_found', http_status: 404, next_check_at: at(600) });

/** Twelve candidates over three accounts on two endpoints: one answers, six are limited, four are gone, one is broken. */
const SEED = modelOf(
  'main',
  [
    ...[1, 2, 3].map((n) => limited(`nim/m-${n}#main`, 60 - n)),
    gone('nim/m-4#main'),
    ...[1, 2, 3].map((n) => limited(`nim/m-${n}#sub`, 30 - n)),
    gone('nim/m-4#sub'),
    gone('nim/m-5#sub'),
    gone('or/m-1#default'),
    routeOf('or/m-2#default', 'deferred', { reason: 'server_error', http_status: 500, next_check_at: at(10) }),
    routeOf('or/m-3#default', 'ready', { latency_ms: 812, http_status: 200 }),
  ],
  { stages: [{ stage: 'first_pass', ms: 4200, probes: 12, end: 'complete' }] },
);

describe('the readiness table', () => {
  it('tells the seed case: counts that add up, then who serves in which order', () => {
    const lines = linesOf(reportOf([SEED]));
    expect(lines.slice(0, 2)).toEqual([
      'main  12 candidates = 1 ready + 7 deferred + 4 rejected',
      '12 probes in 4.2 s · 2 endpoints · 3 credentials',
    ]);
    expect(lines[3]).toMatch(/^or\/m-3#default +0 +ready +812 ms +–$/);
    expect(lines[4]).toMatch(/^or\/m-2#default +0 +deferred +– +in 10\.0 s +server_error \(500\)$/);
    expect(lines.slice(5, 8).map((line) => line.split(' ')[0])).toEqual(['nim/m-3#sub', 'nim/m-2#sub', 'nim/m-1#sub']);
    expect(lines.at(-1)).toBe('main has a route that can serve.');
  });

  it.each([80, 60, 120])('fits %d columns and loses neither state nor return', (columns) => {
    const lines = linesOf(reportOf([SEED]), { columns });
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.join('\n')).toMatch(/or\/m-2#default .*deferred +(– +)?in 10\.0 s/);
    expect(lines.join('\n')).toContain('812 ms');
  });

  it('folds what was not reached, unless all is asked for', () => {
    const many = modelOf(
      'main',
      [1, 2, 3, 4, 5].map((n) => routeOf(`a/m-${n}#k`, 'unreached')),
    );
    const folded = linesOf(reportOf([many])).join('\n');
    expect(folded).toContain('… and 2 more unreached: --all');
    expect(folded).not.toContain('a/m-4#k');
    expect(linesOf(reportOf([many]), { all: true }).join('\n')).toContain('a/m-5#k');
  });

  it('names the models that nobody can serve, lists that did not come, and what is wrong with a pool', () => {
    const out = modelOf('review', [gone('b/x#k')], { warnings: ['all of its routes are on one endpoint: b.test'] });
    const report = reportOf([SEED, out], [{ provider: 'bytez', discovered: null, error: 'server_error' }]);
    const text = linesOf(report).join('\n');
    expect(text).toContain('! all of its routes are on one endpoint: b.test');
    expect(text).toContain('! bytez gave no list: server_error');
    expect(text).toMatch(/Nobody can serve review now\. The other model has a route that can\.$/);
    expect(linesOf(reportOf([out])).at(-1)).toBe('Nobody can serve review now.');
    expect(linesOf(reportOf([SEED, { ...SEED, model: 'second' }])).at(-1)).toBe(
      'All 2 models have a route that can serve.',
    );
  });

  it.each([
    ['escalated, with what it cost', { escalated: true, attempts: 2 }, 'asked again with more tokens'],
    ['known from before', { attempts: 0, age_ms: 185_000 }, 'seen 3 m 05 s ago'],
  ])('says of a route that it was %s', (_, more, words) => {
    const model = modelOf('main', [routeOf('a/m#k', 'ready', more)], {
      escalations: { used: 1, denied: 2, budget: 4 },
    });
    const text = linesOf(reportOf([model])).join('\n');
    expect(text).toContain(words);
    expect(text).toContain('1 repeated with more tokens · 2 repeats denied');
  });

  it.each([
    ['deferred, and its hold is over', routeOf('a/m#k', 'deferred'), 'now'],
    ['deferred until this moment', limited('a/m#k', 0), 'now'],
    ['deferred', limited('a/m#k', 5), 'in 5.0 s'],
    ['rejected for good', routeOf('a/m#k', 'rejected'), '–'],
    ['ready', routeOf('a/m#k', 'ready'), '–'],
  ])('says when a route is asked again that is %s', (_, route, next) => {
    const line = linesOf(reportOf([modelOf('main', [route])])).find((each) => each.startsWith('a/m#k'));
    expect(line).toMatch(new RegExp(` ${next}(  .*)?$`));
  });

  it('has words where there is nothing to show', () => {
    expect(linesOf(reportOf([]))).toEqual(['There are no models: clients name targets as provider/model.']);
    expect(linesOf(reportOf([modelOf('main', [])]))[0]).toBe('main  no candidates');
  });
});

describe('the order of service', () => {
  it('puts tiers before states', () => {
    const routes = [
      routeOf('a/1#k', 'ready', { tier: 1 }),
      limited('a/2#k', 5),
      routeOf('a/3#k', 'unreached'),
      routeOf('a/4#k', 'slow'),
      routeOf('a/5#k', 'rejected'),
    ];
    expect(orderOfService(routes).map(({ route }) => route)).toEqual(['a/4#k', 'a/3#k', 'a/2#k', 'a/5#k', 'a/1#k']);
  });

  it('counts a slow route as one that serves', () => {
    expect(canServe(modelOf('main', [routeOf('a/m#k', 'slow')]))).toBe(true);
    expect(canServe(modelOf('main', [routeOf('a/m#k', 'unreached'), limited('a/2#k', 1)]))).toBe(false);
  });
});
