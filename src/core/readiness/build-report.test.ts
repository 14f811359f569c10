import { describe, expect, it } from 'vitest';
import {
  type FailureName,
  HOUR,
  MINUTE,
  makeModel,
  makeTarget,
  SECOND,
  watchHealth,
} from '../../../test/kit/health-fixtures.ts';
import { DEFAULT_PROBE } from '../../config/defaults.ts';
import type { Route, Target } from '../routing/candidate.ts';
import { buildReport } from './build-report.ts';
import { createRound } from './create-round.ts';
import { nextProbes } from './next-probes.ts';
import { noteResult } from './note-result.ts';
import { recoveryOf } from './recovery.ts';
import type { Round } from './round.ts';
import { standingOf } from './standing.ts';

const NOW = 1_700_000_000_000;
const PROBE = { ...DEFAULT_PROBE, everyMs: 10 * MINUTE };

const targets = ['a', 'b', 'c', 'd'].map((name) => makeTarget(`${name}/m`));
const [a, b, c, d] = targets.map(({ routes }) => routes[0]) as [Route, Route, Route, Route];
const found = (isFree: boolean): Target => makeTarget('e/m', { catalogue: { isFree } });
const model = (list: readonly Target[] = targets) => makeModel(list);

const routeNamed = (name: string) => ({
  route: `${name}/m#default`,
  provider: name,
  model: 'm',
  credential: 'default',
  endpoint: `${name}.test:443`,
  tier: 0,
});

type Watched = ReturnType<typeof watchHealth>;

const reportOf = (health: Watched, now: number, list = targets, round?: Round) => {
  const rounds = new Map(round === undefined ? [] : [['main', round]]);
  const given = { now, health: health.state(), settings: PROBE, rounds, providers: [] };
  const [report] = buildReport({ ...given, models: [model(list)] }).models;
  if (report === undefined) throw new Error('no model');
  return report;
};

describe('a report', () => {
  it('says of each route what stands against it, since when, and until when', () => {
    const health = watchHealth();
    health.see('success', a, NOW - MINUTE);
    health.fails('rateLimited', b, NOW - SECOND, { told: 20_000 });
    health.fails('notFound', c, NOW - 3 * SECOND);
    health.fails('serverError', d, NOW, { probe: true });
    const { routes, ...counts } = reportOf(health, NOW);
    expect(counts).toMatchObject({ candidates: 4, probed: 4, ready: 1, deferred: 2, rejected: 1, warnings: [] });
    expect(routes).toEqual([
      {
        ...routeNamed('a'),
        state: 'ready',
        reason: null,
        attempts: 0,
        age_ms: MINUTE,
        next_check_at: null,
      },
      {
        ...routeNamed('b'),
        state: 'deferred',
        reason: 'rate_limited',
        http_status: 429,
        attempts: 0,
        retry_after_ms: 19_000,
        age_ms: SECOND,
        next_check_at: new Date(NOW + 19_000).toISOString(),
      },
      {
        ...routeNamed('c'),
        state: 'rejected',
        reason: 'model_not_found',
        http_status: 404,
        attempts: 0,
        age_ms: 3 * SECOND,
        next_check_at: new Date(NOW - 3 * SECOND + 10 * MINUTE).toISOString(),
      },
      {
        ...routeNamed('d'),
        state: 'deferred',
        reason: 'server_error',
        http_status: 500,
        attempts: 0,
        age_ms: 0,
        next_check_at: new Date(NOW + 10 * SECOND).toISOString(),
      },
    ]);
  });

  it('calls nothing ready that nobody has seen, or that was seen too long ago', () => {
    const health = watchHealth();
    health.see('success', a, NOW);
    const states = (now: number) => reportOf(health, now).routes.map(({ state }) => state);
    expect(states(NOW + 20 * MINUTE)).toEqual(['ready', 'unreached', 'unreached', 'unreached']);
    expect(states(NOW + 20 * MINUTE + 1)[0]).toBe('unreached');
    const catalogue = reportOf(health, NOW, [...targets, found(true)]);
    expect(catalogue.routes.at(-1)).toMatchObject({ state: 'unreached', reason: 'no_round', age_ms: null });
    expect(reportOf(health, NOW, [found(false)]).routes[0]).toMatchObject({ state: 'unreached', reason: 'priced' });
  });

  it('tells a credential that was set aside from a route that nobody came to', () => {
    const health = watchHealth();
    const pool = ['a/m1', 'a/m2', 'b/m1', 'b/m2'].map((id) => makeTarget(id));
    const view = {
      standing: () => ({ word: 'ask' }) as const,
      isBusy: () => false,
      room: () => Number.POSITIVE_INFINITY,
    };
    const start = createRound({
      models: [model(pool)],
      settings: { ...PROBE, maxProbes: 2 },
      standing: view.standing,
      now: NOW,
      endsAt: NOW + MINUTE,
      discovery: { startedAt: NOW - 700, end: 'complete' },
    });
    const limit = { state: 'deferred', status: 429, latencyMs: 30, tokens: null, lacksRoom: false } as const;
    let { round } = nextProbes(start, NOW, view);
    const until = NOW + 90 * SECOND;
    round = noteResult(round, 'a/m1#default', { ...limit, limited: { until, told: true } }, NOW + 30).round;
    round = noteResult(round, 'b/m1#default', { ...limit, state: 'ready', status: 200, limited: null }, NOW + 40).round;
    round = nextProbes(round, NOW + 40, view).round;
    health.see('success', pool[2]?.routes[0] ?? a, NOW + 40);
    const report = reportOf(health, NOW + 50, pool, round);
    expect(report.routes.map(({ state, reason, attempts }) => [state, reason, attempts])).toEqual([
      ['unreached', 'outdated', 1],
      ['postponed', 'rate_limited', 0],
      ['ready', null, 1],
      ['unreached', 'max_probes', 0],
    ]);
    expect(report.stages).toEqual([
      { stage: 'discovery', ms: 700, probes: 0, end: 'complete' },
      { stage: 'first_pass', ms: 40, probes: 2, end: 'max_probes' },
    ]);
    expect(report.routes[2]).toMatchObject({ latency_ms: 30, http_status: 200 });
  });

  it('warns where all depends on one endpoint or one credential, and where there is nothing', () => {
    const health = watchHealth();
    expect(reportOf(health, NOW, [makeTarget('a/m', {}, ['k1', 'k2'])]).warnings).toEqual([
      'all of its routes are on one endpoint: a.test:443',
    ]);
    expect(reportOf(health, NOW, [makeTarget('a/m')]).warnings).toHaveLength(2);
    expect(reportOf(health, NOW, []).warnings).toEqual(['it has no route']);
  });
});

describe('what a round does with a route', () => {
  it.each<[FailureName | 'success' | 'slow' | 'nothing', string, string]>([
    ['nothing', 'ask', 'ask'],
    ['success', 'proved', 'ask'],
    ['slow', 'held', 'ask'],
    ['rateLimited', 'held', 'ask'],
    ['auth', 'held', 'ask'],
    ['notFound', 'held', 'ask'],
    ['timeout', 'held', 'ask'],
  ])('after %s: %s at once, %s in the end', (name, soon, later) => {
    const health = watchHealth();
    const seen = { startedAt: NOW - SECOND, probe: true };
    if (name === 'success' || name === 'slow') health.see(name, a, NOW, seen);
    else if (name !== 'nothing') health.fails(name, a, NOW, seen);
    const word = (now: number) =>
      standingOf(health.state(), { target: targets[0] as Target, route: a }, PROBE, now).word;
    expect([word(NOW), word(NOW + 7 * HOUR)]).toEqual([soon, later]);
  });

  it('is to wait for a limited account, since others of it can not be asked either', () => {
    const health = watchHealth();
    const wide = { ...a, accountWideLimit: true };
    health.fails('rateLimited', wide, NOW, { told: 9000 });
    expect(standingOf(health.state(), { target: targets[0] as Target, route: wide }, PROBE, NOW)).toEqual({
      word: 'wait',
      until: NOW + 9000,
      told: true,
    });
  });
});

describe('a recovery probe', () => {
  const due = (health: Watched, now: number, route = a) => recoveryOf(health.state(), route, MINUTE, now);

  it('is due when a hold or circuit ends, and is another one for each', () => {
    const health = watchHealth();
    expect(due(health, NOW)).toBeNull();
    health.fails('auth', a, NOW);
    expect(due(health, NOW)).toMatchObject({ at: NOW + 5 * MINUTE, group: 'a/default' });
    health.fails('timeout', b, NOW, { startedAt: NOW - SECOND, probe: true });
    const first = due(health, NOW, b);
    expect(first).toMatchObject({ at: NOW + 10 * SECOND, group: 'route b/m#default' });
    const ended = NOW + 10 * SECOND;
    expect(due(health, ended, b)).toEqual({ ...first, at: ended });
    expect(health.claim(b, ended)).toBe(true);
    // Somebody is on the way.
    expect(due(health, ended, b)).toBeNull();
    health.fails('timeout', b, ended + SECOND, { startedAt: ended, trial: true, probe: true });
    expect(due(health, ended + SECOND, b)?.opening).not.toBe(first?.opening);
  });

  it('leaves a circuit alone that lets more and more in already', () => {
    const health = watchHealth();
    health.fails('serverError', a, NOW, { probe: true });
    const ended = NOW + 10 * SECOND;
    health.claim(a, ended);
    health.see('first_output', a, ended + 1, { startedAt: ended, trial: true });
    expect(due(health, ended + 2)).toBeNull();
  });

  it('is early for a slow route: by its own limit, or half of the time', () => {
    const health = watchHealth();
    health.see('slow', a, NOW, { startedAt: NOW - 2 * SECOND });
    expect(due(health, NOW)?.at).toBe(NOW + 6 * SECOND);
    health.see('slow', b, NOW, { startedAt: NOW - MINUTE });
    expect(due(health, NOW, b)?.at).toBe(NOW + 5 * MINUTE);
  });
});
