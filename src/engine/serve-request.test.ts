import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { DONE, STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { fails, SILENCE, says, streams, text } from '../../test/kit/plays.ts';

const SECOND = 1000;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

describe('a request', () => {
  it('has no commit time any more once it has committed', async () => {
    open({ settings: { timeouts: { commitMs: 5 * SECOND } } });
    bench.play('a', streams([{ bytes: text('x'), ms: SECOND, times: 20 }, STOP, DONE]));
    expect((await bench.run()).outcomes).toEqual(['ok']);
  });

  it('is ended by the first who ends it', async () => {
    open().play('a', SILENCE);
    const asked = bench.ask();
    await bench.pass(SECOND);
    bench.engine.abandonAll();
    asked.client.close();
    await bench.pass(SECOND);
    expect(asked.outcomes).toEqual(['abandoned']);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'abandoned', component: 'gateway' });
  });

  it.each([
    ['takes a little now and then is slow, and gets all of it', 1, 'ok'],
    ['takes nothing has stalled', 0, 'client_closed'],
  ])('whose client %s', async (_name, bytesPerSecond, outcome) => {
    open({ engine: { clientStallMs: 20 * SECOND } });
    bench.play('a', streams([{ bytes: text('x'.repeat(500)), ms: SECOND, times: 3 }, STOP, DONE]));
    const startedAt = bench.clock.now();
    const taken = (): number => Math.floor(((bench.clock.now() - startedAt) / SECOND) * bytesPerSecond);
    const asked = await bench.run({ client: { window: 400, drainMs: 50 * SECOND, taken } });
    expect(asked.outcomes).toEqual([outcome]);
  });

  it('asks who was busy in the round before', async () => {
    open({
      targets: ['b', 'a'],
      limits: { a: { concurrency: 1, queueMs: 0 } },
      settings: { retry: { waitForCooldownMs: 30 * SECOND } },
    });
    bench.play('b', fails(429, {}, { headers: { 'retry-after': '5' } }), fails(500));
    bench.play('a', says('before'), says('first', { headMs: 2 * SECOND }), says('second'));
    // b is held from here on, a is taken for two seconds.
    expect((await bench.run()).outcomes).toEqual(['rate_limited', 'ok']);
    const first = bench.ask();
    await bench.now();
    const second = bench.ask();
    await bench.pass(10 * SECOND);
    expect(first.attempts).toMatchObject([{ target: 'a/m', outcome: 'ok' }]);
    expect(second.attempts).toMatchObject([
      { target: 'b/m', outcome: 'server_error' },
      { target: 'a/m', outcome: 'ok' },
    ]);
  });

  it('asks who was busy when it waited, though who it waited for is gone', async () => {
    open({
      targets: ['b', 'a'],
      limits: { a: { concurrency: 1, queueMs: 0 } },
      settings: { retry: { waitForCooldownMs: 30 * SECOND } },
    });
    bench.play('b', fails(429, {}, { headers: { 'retry-after': '5' } }));
    bench.play('a', says('before'), says('first', { headMs: 2 * SECOND }), says('second'));
    await bench.run();
    // b is held from here on, a is taken for two seconds: the second request waits for b.
    const first = bench.ask();
    await bench.now();
    const second = bench.ask();
    await bench.pass(3 * SECOND);
    bench.health.operate('disable', 'b/m#default', bench.clock.now());
    await bench.pass(10 * SECOND);
    expect(first.attempts).toMatchObject([{ target: 'a/m', outcome: 'ok' }]);
    expect(second.attempts).toMatchObject([{ target: 'a/m', outcome: 'ok' }]);
  });
});
