import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { DONE, STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { completion, fails, says, streams, tells, text } from '../../test/kit/plays.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

describe('an attempt', () => {
  it('counts told instants from the head of the answer', async () => {
    open({ targets: ['a'] });
    const at = new Date(bench.clock.now() + 30 * SECOND).toUTCString();
    bench.play(
      'a',
      fails(
        429,
        {},
        { headers: { 'retry-after': at }, body: [{ bytes: '{"error":{"message":"no"}}', ms: 3 * SECOND }] },
      ),
    );
    const { attempts } = await bench.run();
    expect(attempts[0]).toMatchObject({ outcome: 'rate_limited', failure: { toldDelayMs: 30 * SECOND } });
  });

  it('gives out the blanks in front of an answer as they came', async () => {
    open().play('a', streams(['\n', '\n', text('x'), STOP, DONE]));
    expect((await bench.run()).client.text).toBe(`\n\n${text('x')}${STOP}${DONE}`);
    bench.play('a', tells('', { body: ['  ', '\n', completion('hello')] }));
    expect((await bench.run({ stream: false })).client.text).toBe(`  \n${completion('hello')}`);
  });

  it('stopped by a client that reads nothing is no success, whatever it brought', async () => {
    open({ engine: { clientStallMs: 20 * SECOND } }).play('a', streams([text('one') + STOP], { end: 'hang' }));
    const asked = await bench.run({ client: { window: 1 } });
    expect(asked.outcomes).toEqual(['client_closed']);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'client_closed', component: 'client' });
  });

  it('lets a paused socket end its body behind a whole answer', async () => {
    open().play('a', streams([text('one'), STOP + DONE], { readAhead: 1, endMs: 100 }));
    const asked = bench.ask({ client: { window: 1, drainMs: MINUTE } });
    await bench.pass(10 * MINUTE);
    expect(asked.outcomes).toEqual(['ok']);
    expect(bench.http.sends[0]).toMatchObject({ abortedAt: null, isOver: true });
  });

  it('begins paused for a client that can not keep up', async () => {
    open({
      targets: ['a'],
      limits: { a: { concurrency: 1, queueMs: 30 * SECOND } },
      settings: { keepalive: { afterMs: SECOND, everyMs: SECOND } },
    });
    bench.play('a', says('first', { headMs: 5 * SECOND }), streams([text('x'), STOP, DONE]));
    const first = bench.ask();
    const second = bench.ask({ client: { window: 1 } });
    await bench.pass(10 * SECOND);
    expect(first.outcomes).toEqual(['ok']);
    expect(bench.http.sends[1]?.isPaused).toBe(true);
    expect(bench.http.sends[1]?.delivered).toBe(0);
    second.client.drain();
    await bench.pass(SECOND);
    second.client.drain();
    await bench.pass(MINUTE);
  });
});
