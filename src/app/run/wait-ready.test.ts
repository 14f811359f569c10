import { describe, expect, it } from 'vitest';
import { createFakeProber, modelOf, reportOf, routeOf } from '../../../test/kit/fake-prober.ts';
import { createVirtualClock } from '../../../test/kit/virtual-clock.ts';
import type { ReadinessReport, ReportedRoute } from '../../core/readiness/report.ts';
import { explainUnready, explainWait, waitReady } from './wait-ready.ts';

const START = 1_700_000_000_000;
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const reportWith = (...routes: readonly ReportedRoute[]): ReadinessReport => reportOf([modelOf('main', routes)]);
const UNREACHED = reportWith(routeOf('a/m#k', 'unreached'));

function setUp(first: ReadinessReport, more: { readonly min?: number; readonly isStopped?: () => boolean } = {}) {
  const clock = createVirtualClock(START);
  const prober = createFakeProber(first);
  const rounds: ReadinessReport[] = [];
  const long: string[] = [];
  const ended = waitReady({
    prober,
    clock,
    model: 'main',
    min: 1,
    timeoutMs: 60_000,
    isStopped: () => false,
    onRound: (report) => rounds.push(report),
    onLong: (report, ready) => long.push(`${clock.now() - START} ${explainWait(report, 'main', ready, more.min ?? 1)}`),
    ...more,
  });
  return { clock, prober, rounds, long, ended };
}

describe('the wait for ready routes', () => {
  it('is over at once where there are some, and asks all models all the same', async () => {
    const { ended, prober } = setUp(reportWith(routeOf('a/m#k', 'ready')));
    expect(await ended).toEqual({ end: 'ready', waitedMs: 0, ready: 1 });
    expect(prober.rounds).toEqual([null]);
  });

  it('ends when the last of those that are wanted is ready, be it slow', async () => {
    const { ended, clock, prober } = setUp(UNREACHED, { min: 2 });
    await clock.advanceAsync(1000);
    prober.knows(reportWith(routeOf('a/m#k', 'ready'), routeOf('b/m#k', 'unreached')));
    await clock.advanceAsync(1000);
    prober.knows(reportWith(routeOf('a/m#k', 'ready'), routeOf('b/m#k', 'slow')));
    await clock.advanceAsync(1000);
    expect(await ended).toEqual({ end: 'ready', waitedMs: 2020, ready: 2 });
  });

  it('ends with its time, to the millisecond, while the round goes on', async () => {
    const { ended, clock, rounds } = setUp(UNREACHED);
    await clock.advanceAsync(60_000);
    expect(await ended).toEqual({ end: 'time', waitedMs: 60_000, ready: 0 });
    expect(rounds).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['rejected for good', routeOf('a/m#k', 'rejected', { reason: 'auth' })],
    ['rejected until later', routeOf('a/m#k', 'rejected', { next_check_at: at(300) })],
    ['deferred until later', routeOf('a/m#k', 'deferred', { next_check_at: at(61) })],
  ])('gives up with the round where all are %s', async (_, route) => {
    const { ended, clock, prober, rounds } = setUp(UNREACHED);
    prober.knows(reportWith(route));
    await clock.advanceAsync(5000);
    prober.end();
    await clock.advanceAsync(1000);
    expect(await ended).toMatchObject({ end: 'hopeless', waitedMs: 5020 });
    expect(rounds).toHaveLength(1);
  });

  it.each([
    ['returns in time', routeOf('a/m#k', 'deferred', { next_check_at: at(30) })],
    ['may be asked in time', routeOf('a/m#k', 'rejected', { next_check_at: at(59) })],
    ['may return at any time', routeOf('a/m#k', 'deferred')],
    ['was not asked', routeOf('a/m#k', 'unreached')],
  ])('goes on behind the round for one that %s', async (_, route) => {
    const { ended, clock, prober } = setUp(reportWith(route));
    prober.end();
    await clock.advanceAsync(30_000);
    prober.knows(reportWith(routeOf('a/m#k', 'ready')));
    await clock.advanceAsync(1000);
    expect(await ended).toMatchObject({ end: 'ready', waitedMs: 30_020 });
  });

  it('gives up at once where a model has no routes, and outlives a round that breaks', async () => {
    const { ended, clock, prober } = setUp(reportOf([modelOf('other', [routeOf('a/m#k', 'ready')])]));
    prober.end();
    await clock.advanceAsync(100);
    expect(await ended).toMatchObject({ end: 'hopeless', ready: 0 });
  });

  it('says once what it waits for, after five seconds', async () => {
    const { ended, clock, prober, long } = setUp(
      reportWith(routeOf('a/m#k', 'deferred', { reason: 'rate_limited' }), routeOf('b/m#k', 'unreached')),
    );
    await clock.advanceAsync(4980);
    expect(long).toEqual([]);
    await clock.advanceAsync(20_000);
    expect(long).toEqual(['5000 waiting for a route of main: 1 deferred (rate_limited 1); 1 without an answer so far']);
    prober.knows(reportWith(routeOf('a/m#k', 'ready')));
    await clock.advanceAsync(100);
    expect(await ended).toMatchObject({ end: 'ready' });
  });

  it('says how many there are of those that are wanted', async () => {
    const { clock, long } = setUp(reportWith(routeOf('a/m#k', 'ready'), routeOf('b/m#k', 'unreached')), { min: 2 });
    await clock.advanceAsync(6000);
    expect(long).toEqual(['5000 waiting for 2 routes of main: 1 ready; 1 without an answer so far']);
    expect(explainWait(reportOf([]), 'main', 0, 1)).toBe('waiting for a route of main: it has no routes so far');
  });

  it('ends when somebody wants it to', async () => {
    let stops = false;
    const { ended, clock } = setUp(UNREACHED, { isStopped: () => stops });
    await clock.advanceAsync(500);
    stops = true;
    await clock.advanceAsync(100);
    expect(await ended).toMatchObject({ end: 'stopped', waitedMs: 520 });
  });
});

describe('why nobody is ready', () => {
  const end = { end: 'hopeless', waitedMs: 1234, ready: 0 } as const;
  const rejected = (reason: string) => routeOf('a/m#k', 'rejected', { reason });

  it('is told with counts and reasons', () => {
    const report = reportWith(
      rejected('auth'),
      rejected('model_gone'),
      rejected('auth'),
      routeOf('b/m#k', 'deferred', { reason: 'rate_limited' }),
      routeOf('b/n#k', 'unreached'),
    );
    expect(explainUnready(report, 'main', end, 1)).toEqual({
      why: 'no route of main is ready after 1.2 s, and none comes back in time: 3 rejected (auth 2, model_gone 1); 1 deferred (rate_limited 1); 1 without an answer so far',
      misconfigured: false,
    });
  });

  it('counts those that there are, where more are wanted', () => {
    const report = reportWith(routeOf('a/m#k', 'ready'), rejected('auth'));
    const told = explainUnready(report, 'main', { end: 'time', waitedMs: 60_000, ready: 1 }, 2);
    expect(told.why).toBe('1 of 2 wanted routes of main ready after 60.0 s: 1 rejected (auth 1)');
    expect(told.misconfigured).toBe(false);
  });

  it.each([
    ['all keys and names are refused', reportWith(rejected('auth'), rejected('model_not_found')), true],
    ['a quota is used up', reportWith(rejected('auth'), rejected('quota_exhausted')), false],
    ['nothing is known', reportWith(), false],
    ['no list came, for want of a key', reportOf([], [{ provider: 'a', discovered: null, error: 'auth' }]), true],
    ['no list came', reportOf([], [{ provider: 'a', discovered: null, error: 'timeout_whole' }]), false],
  ])('is a matter of the configuration or not, where %s', (_, report, misconfigured) => {
    const told = explainUnready(report, 'main', end, 1);
    expect(told.misconfigured).toBe(misconfigured);
    expect(told.why).toMatch(/rejected|no list|gave no list|it has no routes/);
  });
});
