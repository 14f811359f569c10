import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../test/kit/health-fixtures.ts';
import { SILENCE, says } from '../../test/kit/plays.ts';
import {
  BROKEN,
  createProberBench,
  DOWN,
  FILTERED,
  HIDDEN,
  LIMITED,
  later,
  MISSING,
  type ProberBenchOptions,
  poolOf,
  REFUSED,
  routeIdOf,
  told,
} from '../../test/kit/prober-bench.ts';
import type { Play } from '../simulate/world/network.ts';
import type { ProbeProgress } from './types.ts';

/** Twelve routes over three accounts on two endpoints. */
const SEED: ProberBenchOptions = {
  targets: [...poolOf('a', ['k1', 'k2'], ['m1', 'm2', 'm3', 'm4']), ...poolOf('b', ['k'], ['m1', 'm2', 'm3', 'm4'])],
  answer: (sent) => {
    const plays: Readonly<Record<string, Play>> = {
      'b/m3#k': says('OK'),
      'a/m2#k1': MISSING,
      'a/m3#k2': MISSING,
      'b/m1#k': MISSING,
      'b/m4#k': MISSING,
      'a/m4#k1': BROKEN,
    };
    return plays[routeIdOf(sent)] ?? LIMITED;
  },
};

describe('a round', () => {
  it('takes what was refused for a spare, and what is gone for gone', async () => {
    const { round, sent, bench } = createProberBench(SEED);
    const report = await round();
    expect(report).toMatchObject({ candidates: 12, probed: 12, ready: 1, slow: 0, deferred: 7, rejected: 4 });
    expect(report).toMatchObject({ postponed: 0, unreached: 0, endpoints: 2, credentials: 3, warnings: [] });
    expect(new Set(sent.map(routeIdOf)).size).toBe(12);
    expect(sent).toHaveLength(12);
    expect(bench.ended.every(({ started }) => started.kind === 'probe')).toBe(true);
  });

  it('asks endpoints in turn, and the credentials of each; one at a time of a credential, all of them at once', async () => {
    const { round, sent } = createProberBench({ ...SEED, answer: () => later(1000) });
    await round();
    const starts = sent.map((one) => `${(one.at - (sent[0]?.at ?? 0)) / 1000} ${routeIdOf(one)}`);
    expect(starts.slice(0, 6)).toEqual(['0 a/m1#k1', '0 b/m1#k', '0 a/m1#k2', '1 a/m2#k1', '1 b/m2#k', '1 a/m2#k2']);
    // Eight ready ones are enough; two more were under way by then.
    expect(sent).toHaveLength(10);
  });

  it('puts a credential aside behind two 429s until its time, and leaves none of it out', async () => {
    const { round, sent, prober } = createProberBench({
      targets: [...poolOf('a', ['k'], ['m1', 'm2', 'm3', 'm4', 'm5']), { id: 'b/m' }],
      answer: ({ provider, model }) => (provider === 'a' && ['m1', 'm2'].includes(model) ? LIMITED : says('OK')),
    });
    const report = await round();
    expect(sent.map(routeIdOf)).toHaveLength(6);
    expect(report).toMatchObject({ probed: 6, ready: 4, deferred: 2, postponed: 0, unreached: 0 });
    const third = sent.find(({ model }) => model === 'm3');
    // A guess: five seconds.
    expect((third?.at ?? 0) - (sent[0]?.at ?? 0)).toBe(5 * SECOND);
    expect(report.stages.map(({ stage, probes }) => [stage, probes])).toEqual([
      ['first_pass', 3],
      ['second_pass', 3],
    ]);
    await prober.close();
  });

  it('keeps a told delay before the next probe of its credential, and says so where it is too long', async () => {
    for (const [seconds, state] of [
      [7, 'ready'],
      [90, 'postponed'],
    ] as const) {
      const { round, sent } = createProberBench({
        targets: poolOf('a', ['k'], ['m1', 'm2']),
        answer: ({ model }) => (model === 'm1' ? told(seconds) : says('OK')),
      });
      const report = await round();
      expect(report.routes.map((route) => route.state)).toEqual(['deferred', state]);
      expect(report.routes[0]).toMatchObject({ reason: 'rate_limited', http_status: 429 });
      const [first, second] = sent;
      expect(second === undefined ? null : second.at - (first?.at ?? 0)).toBe(seconds === 7 ? 7 * SECOND : null);
    }
  });

  it('gives a route that only thought more room, once', async () => {
    const { round, sent, ended, word } = createProberBench({
      targets: ['a'],
      answer: ({ tokens }) => (tokens === 16 ? HIDDEN : says('OK')),
    });
    const report = await round();
    expect(sent.map(({ tokens }) => tokens)).toEqual([16, 1024]);
    expect(report).toMatchObject({ ready: 1, escalations: { used: 1, denied: 0, budget: 4 } });
    expect(report.routes[0]).toMatchObject({ state: 'ready', attempts: 2, escalated: true });
    expect(ended.map(({ state, escalated }) => [state, escalated])).toEqual([
      ['deferred', false],
      ['ready', true],
    ]);
    expect(word('a/m#default')).toBe('ready');
  });

  it('denies a fifth of them in one account, and counts it; other accounts have their own', async () => {
    const { round } = createProberBench({
      targets: [...poolOf('a', ['k'], ['m1', 'm2', 'm3', 'm4', 'm5']), { id: 'b/m' }],
      answer: ({ tokens }) => (tokens === 16 ? HIDDEN : says('OK')),
    });
    const report = await round();
    expect(report.escalations).toEqual({ used: 5, denied: 1, budget: 8 });
    expect(report).toMatchObject({ ready: 5, deferred: 1 });
    expect(report.routes.find(({ model }) => model === 'm5')).toMatchObject({
      state: 'deferred',
      reason: 'empty_completion',
      attempts: 1,
    });
  });

  it('takes a route that has shown nothing with all the room there is for deferred', async () => {
    const { round } = createProberBench({ targets: ['a'], answer: () => HIDDEN });
    expect((await round()).routes[0]).toMatchObject({ state: 'deferred', reason: 'empty_completion', attempts: 2 });
  });

  it('takes one of whose answer a filter has left nothing for no ready one', async () => {
    const { round, sent } = createProberBench({ targets: ['a'], answer: () => FILTERED });
    expect(await round()).toMatchObject({ ready: 0, deferred: 1, routes: [{ reason: 'empty_completion' }] });
    expect(sent.map(({ tokens }) => tokens)).toEqual([16, 1024]);
  });

  it('takes an answer that comes late for slow, and silence for deferred', async () => {
    const { round } = createProberBench({
      targets: ['a', 'b'],
      answer: ({ provider }) => (provider === 'a' ? later(25 * SECOND) : SILENCE),
    });
    const report = await round();
    expect(report.routes.map(({ state }) => state)).toEqual(['slow', 'unreached']);
    expect(report.stages.at(-1)).toMatchObject({ ms: MINUTE, end: 'max_time' });
  });

  it('leaves out what is held, was proved by traffic, or is disabled', async () => {
    const { round, bench, sent } = createProberBench({
      targets: ['a', 'b', 'c', 'd'],
      answer: ({ provider }) => (provider === 'a' ? told(300) : says('OK')),
    });
    bench.ask();
    await bench.pass(0);
    bench.health.operate('disable', 'c', bench.clock.now());
    bench.health.operate('disable', 'c/m#default', bench.clock.now());
    const before = sent.length;
    const report = await round();
    expect(sent.slice(before).map(routeIdOf)).toEqual(['d/m#default']);
    expect(report).toMatchObject({ candidates: 3, ready: 2, deferred: 1 });
  });

  it('sees that two keys of a host that is down go together, and that the other host serves', async () => {
    const { round, bench, sent } = createProberBench({
      targets: [{ id: 'a/m', credentials: ['k1', 'k2'] }, { id: 'a/n', credentials: ['k1', 'k2'] }, { id: 'b/m' }],
      answer: ({ provider }) => (provider === 'a' ? DOWN : says('OK')),
    });
    const report = await round();
    expect(report).toMatchObject({ ready: 1, deferred: 4, rejected: 0, unreached: 0 });
    // Two have shown that nobody is there; a third was on its way.
    expect(sent.filter(({ provider }) => provider === 'a')).toHaveLength(3);
    const asked = bench.ask();
    await bench.pass(0);
    expect(asked.attempts.map(({ target }) => target)).toEqual(['b/m']);
  });

  it('is one round for all who ask for the same, and others wait for its end', async () => {
    const { prober, sent, bench } = createProberBench({
      targets: ['a', 'b'],
      answer: () => later(1000),
      models: (main) => [main, { ...main, name: 'other', targets: main.targets.slice(0, 1) }],
    });
    let rounds = 0;
    prober.watch(({ type }) => {
      rounds += type === 'round_started' ? 1 : 0;
    });
    const all = [prober.probe(null), prober.probe(['main', 'other']), prober.probe(['other'])];
    await bench.pass(5 * SECOND);
    const reports = await Promise.all(all);
    expect(reports.map(({ models }) => models.map(({ model, ready }) => `${model} ${ready}`))).toEqual([
      ['main 2', 'other 1'],
      ['main 2', 'other 1'],
      ['other 1'],
    ]);
    // A route of two models is asked once.
    expect(sent).toHaveLength(2);
    expect(rounds).toBe(2);
  });

  it('takes a tenth of the places that a provider has here', async () => {
    const { round, http, bench, prober } = createProberBench({
      targets: [{ id: 'a/m', credentials: ['k1', 'k2', 'k3', 'k4'] }],
      limits: { a: { concurrency: 20, queueMs: 0 } },
      answer: () => later(1000),
    });
    void prober.probe(null);
    await bench.pass(500);
    expect(http.open()).toBe(2);
    expect(await round()).toMatchObject({ ready: 4 });
  });

  it('is told as it goes, and ends at once when the prober is closed', async () => {
    const { prober, bench, http, ended } = createProberBench({ targets: ['a', 'b'], answer: () => SILENCE });
    const seen: ProbeProgress[] = [];
    const stop = prober.watch((progress) => void seen.push(progress));
    prober.watch(() => {
      throw new Error('of no interest to a prober');
    });
    const round = prober.probe(null);
    await bench.pass(SECOND);
    expect(http.open()).toBe(2);
    await prober.close();
    expect((await round).models[0]).toMatchObject({ candidates: 2, unreached: 2 });
    expect(http.open()).toBe(0);
    expect(seen.map(({ type }) => type)).toEqual([
      'round_started',
      'probe_started',
      'probe_started',
      'round_ended',
      'probe_ended',
      'probe_ended',
    ]);
    expect(ended).toEqual([]);
    stop();
    expect((await prober.probe(null)).models).toHaveLength(1);
    await bench.quiet();
  });

  it('that has ended takes no place of the one behind it, whatever still comes of its probes', async () => {
    const { round, bench, prober } = createProberBench({
      targets: ['a', 'b'],
      probe: { maxTimeMs: 10 * SECOND },
      answer: ({ provider }) => (provider === 'a' ? SILENCE : says('OK')),
    });
    const askedOf = (): readonly number[] => prober.report().models[0]?.routes.map(({ attempts }) => attempts) ?? [];
    await round();
    expect(askedOf()).toEqual([1, 1]);
    await round();
    expect(askedOf()).toEqual([0, 0]);
    await bench.pass(MINUTE);
    expect(prober.report().models[0]?.routes[0]?.state).toBe('deferred');
    expect(askedOf()).toEqual([0, 0]);
    await bench.quiet();
  });

  it('leaves out a route that goes while it is asked, and keeps nobody else waiting for it', async () => {
    const world: ReturnType<typeof createProberBench> = createProberBench({
      targets: poolOf('a', ['k'], ['m1', 'm2']),
      answer: ({ model }) => {
        const { bench, use } = world;
        if (model === 'm1') use({ models: [{ ...bench.model, targets: bench.model.targets.slice(1) }] });
        return model === 'm1' ? HIDDEN : says('OK');
      },
    });
    expect(await world.round()).toMatchObject({ candidates: 1, ready: 1 });
    expect(world.seconds()).toBeLessThan(1);
  });

  it('learns nothing of a route that has become another while it was asked', async () => {
    const world: ReturnType<typeof createProberBench> = createProberBench({
      targets: ['a', 'b'],
      probe: { targetReady: 1, maxProbes: 1 },
      answer: ({ provider, at }) => {
        if (provider !== 'a') return says('OK');
        const { bench, use } = world;
        const targets = bench.model.targets.map((target) => ({
          ...target,
          routes: target.routes.map((route) => ({ ...route, identity: `${route.identity} at ${at}` })),
        }));
        use({ models: [{ ...bench.model, targets }] });
        bench.health.retain(targets.flatMap(({ routes }) => routes));
        return REFUSED;
      },
    });
    expect(await world.round()).toMatchObject({ ready: 1, rejected: 0, unreached: 1 });
    expect(world.ended.map(({ route, state }) => [route, state])).toEqual([['b/m#default', 'ready']]);
  });

  it('asks for lists first, within its own time, and for what they bring', async () => {
    let list = (): void => {};
    const deadlines: number[] = [];
    const world = createProberBench({
      targets: ['a', 'b'],
      models: (main) => [{ ...main, targets: [] }],
      discover: (deadlineAt) => {
        deadlines.push(deadlineAt);
        list();
        return Promise.resolve([
          { provider: 'a', discovered: 1 },
          { provider: 'b', discovered: null, error: 'auth' },
        ]);
      },
    });
    const { bench, round, use, prober } = world;
    const [target] = bench.model.targets;
    const found = (isFree: boolean) => ({ ...bench.model, targets: [{ ...target, catalogue: { isFree } } as never] });
    list = () => use({ models: [found(true)] });
    const startedAt = bench.clock.now();
    expect(await round()).toMatchObject({ candidates: 1, ready: 1, stages: [{ stage: 'discovery' }, { probes: 1 }] });
    expect(deadlines).toEqual([startedAt + MINUTE]);
    expect(prober.report().providers).toEqual([
      { provider: 'a', discovered: 1 },
      { provider: 'b', discovered: null, error: 'auth' },
    ]);
    // What costs is not asked for, unless somebody allows it.
    const priced = createProberBench({
      targets: ['a'],
      models: (main) => [{ ...main, targets: [found(false).targets[0] as never] }],
    });
    expect(await priced.round()).toMatchObject({ unreached: 1, routes: [{ reason: 'priced', attempts: 0 }] });
    priced.use({ probe: { priced: true } });
    expect(await priced.round()).toMatchObject({ ready: 1 });
  });
});
