import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../test/kit/health-fixtures.ts';
import { fails, says } from '../../test/kit/plays.ts';
import { BROKEN, createProberBench, DOWN, HIDDEN, later, MISSING, poolOf, told } from '../../test/kit/prober-bench.ts';

describe('what nobody asks for', () => {
  it('is nothing at all where the mode is off, and no round where it is recovery', async () => {
    for (const mode of ['off', 'recovery', null] as const) {
      const { prober, bench, sent } = createProberBench({ targets: ['a'], probe: { mode } });
      prober.start();
      await bench.quiet();
      expect(sent).toEqual([]);
    }
  });

  it('is a round at the start and each `every`; not at once where health is younger than that', async () => {
    const { prober, bench, sent, seconds } = createProberBench({ targets: ['a', 'b'], probe: { mode: 'full' } });
    prober.start();
    await bench.pass(30 * MINUTE);
    const base = sent[0]?.at ?? 0;
    // What was proved within `every` is left out, so that each route is asked every other time.
    expect(sent.map(({ at }) => (at - base) / MINUTE)).toEqual([0, 0, 20, 20]);
    expect(seconds()).toBe(1800);
    await prober.close();
  });

  it('is a round, too, of a model that takes targets out of lists, and has none of those yet', async () => {
    for (const lists of [[], ['main']]) {
      const { prober, bench, sent } = createProberBench({ targets: ['a', 'b'], lists });
      prober.start();
      await bench.pass(MINUTE);
      expect(sent.length).toBe(lists.length * 2);
      await prober.close();
    }
  });

  it('is no round at the start where health is younger than that', async () => {
    const { prober, bench, sent, round, use } = createProberBench({
      targets: poolOf('a', ['k'], ['m1', 'm2', 'm3']),
      probe: { mode: 'full', targetReady: 2 },
      savedAt: 1_700_000_000_000 - 4 * MINUTE,
    });
    await round();
    expect(sent.map(({ model }) => model)).toEqual(['m1', 'm2']);
    prober.start();
    await bench.pass(6 * MINUTE - 1);
    expect(sent).toHaveLength(2);
    use({ probe: { targetReady: 3 } });
    await bench.pass(1);
    expect(sent[2]?.model).toBe('m3');
    await prober.close();
  });

  it('is a round out of turn where a model has too few routes, once a minute, and never a storm', async () => {
    const { prober, bench, sent } = createProberBench({
      targets: poolOf('a', ['k'], ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']),
      probe: { mode: 'full', maxProbes: 2 },
      answer: ({ model }) => (['m5', 'm6'].includes(model) ? says('OK') : MISSING),
    });
    prober.start();
    await bench.pass(5 * MINUTE);
    const base = sent[0]?.at ?? 0;
    expect(sent.map(({ at, model }) => `${(at - base) / MINUTE} ${model}`)).toEqual([
      '0 m1',
      '0 m2',
      '1 m3',
      '1 m4',
      '2 m5',
      '2 m6',
    ]);
    await prober.close();
  });

  it('is one probe for each opening, with little room, when a hold or circuit ends', async () => {
    let isDown = true;
    const { prober, bench, sent, word } = createProberBench({
      targets: ['a', 'b'],
      // Room for a round's probes is no room for these.
      probe: { tokens: 200 },
      answer: ({ provider }) => (provider === 'a' && isDown ? fails(401) : says('OK')),
    });
    prober.start();
    bench.ask();
    await bench.pass(5 * MINUTE - 1);
    expect(sent.filter(({ isProbe }) => isProbe)).toHaveLength(0);
    await bench.pass(1);
    expect(sent.filter(({ isProbe }) => isProbe)).toMatchObject([{ provider: 'a', tokens: 64 }]);
    expect(word('a/m#default')).toBe('rejected');
    isDown = false;
    await bench.pass(10 * MINUTE);
    expect(sent.filter(({ isProbe }) => isProbe)).toHaveLength(2);
    expect(word('a/m#default')).toBe('ready');
    await bench.quiet();
  });

  it('takes nothing of what a limit leaves while clients have nothing else', async () => {
    for (const others of [[], ['b']]) {
      let isFull = true;
      const { prober, bench, sent } = createProberBench({
        targets: ['a', ...others],
        answer: ({ provider }) => (provider === 'a' && isFull ? told(30) : says('OK')),
      });
      prober.start();
      bench.ask();
      await bench.pass(29 * SECOND);
      isFull = false;
      await bench.pass(2 * SECOND);
      expect(sent.filter(({ isProbe }) => isProbe)).toHaveLength(others.length);
      await prober.close();
    }
  });

  it('is no second probe where the first one has shown nothing, and none where only a round can show more', async () => {
    let play = fails(401);
    const { prober, bench, sent, word, round } = createProberBench({
      targets: ['a', 'b'],
      answer: ({ provider }) => (provider === 'a' ? play : says('OK')),
    });
    const tokens = () => sent.filter(({ provider }) => provider === 'a').map((one) => one.tokens);
    await round();
    prober.start();
    play = HIDDEN;
    await bench.pass(5 * MINUTE + SECOND);
    expect(word('a/m#default')).toBe('deferred');
    await bench.pass(10 * MINUTE);
    expect(tokens()).toEqual([16, 64]);
    expect((await round()).routes[0]).toMatchObject({ state: 'deferred', reason: 'empty_completion' });
    expect(tokens()).toEqual([16, 64, 16, 1024]);
    await bench.pass(10 * MINUTE);
    expect(tokens()).toHaveLength(4);
    expect(word('a/m#default')).toBe('half_open');
    await prober.close();
  });

  it('clears up what is slow before clients are sent there again', async () => {
    let delay = 0;
    const { prober, bench, sent, word, round } = createProberBench({
      targets: ['a', 'b'],
      answer: ({ provider }) => (provider === 'a' ? later(delay) : says('OK')),
    });
    delay = 30 * SECOND;
    await round();
    prober.start();
    expect(word('a/m#default')).toBe('slow');
    // Slow for six times what it took; a minute before that is over, when even such an answer is there by then.
    await bench.pass(2 * MINUTE - 1);
    expect(sent).toHaveLength(2);
    await bench.pass(1);
    expect(sent).toHaveLength(3);
    await bench.pass(MINUTE);
    expect(word('a/m#default')).toBe('slow');
    delay = 0;
    await bench.pass(2 * MINUTE);
    expect(word('a/m#default')).toBe('ready');
    expect(sent).toHaveLength(4);
    await prober.close();
  });

  it('asks no provider more than twenty times an hour', async () => {
    const { prober, bench, sent } = createProberBench({
      targets: ['a', 'b'],
      answer: ({ provider }) => (provider === 'a' ? BROKEN : says('OK')),
    });
    prober.start();
    for (let n = 0; n < 3; n++) bench.ask();
    await bench.pass(59 * MINUTE);
    const probes = sent.filter(({ isProbe }) => isProbe);
    expect(probes).toHaveLength(20);
    await bench.pass(2 * MINUTE);
    expect(sent.filter(({ isProbe }) => isProbe).length).toBeGreaterThan(20);
    await prober.close();
  });

  it('has no client pay for an outage of a minute, nor for its end', async () => {
    let isDown = false;
    const { prober, bench, sent, seconds } = createProberBench({
      targets: ['a', 'b'],
      answer: ({ provider }) => (provider === 'a' && isDown ? DOWN : says('hello', { headMs: 50 })),
    });
    prober.start();
    const asked: { readonly at: number; readonly one: ReturnType<typeof bench.ask> }[] = [];
    for (let tick = 0; tick < 320; tick++) {
      isDown = seconds() >= 20 && seconds() < 80;
      asked.push({ at: seconds(), one: bench.ask() });
      await bench.pass(400);
    }
    await bench.pass(SECOND);
    expect(asked.map(({ one }) => one.outcome)).toEqual(asked.map(() => 'ok'));
    const clientsTo = (from: number, until: number) =>
      asked.filter(({ at, one }) => at >= from && at < until && one.attempts.some(({ target }) => target === 'a/m'));
    // Those that found it out, and nobody behind them until it was back.
    expect(clientsTo(20, 80).length).toBeLessThanOrEqual(3);
    expect(asked.every(({ one }) => one.attempts.every(({ trial }) => !trial))).toBe(true);
    const back = asked.find(({ at, one }) => at >= 80 && one.attempts[0]?.target === 'a/m');
    expect((back?.at ?? Number.POSITIVE_INFINITY) - 80).toBeLessThanOrEqual(15);
    expect(sent.filter(({ isProbe }) => isProbe).length).toBeGreaterThanOrEqual(3);
    await prober.close();
  });
});
