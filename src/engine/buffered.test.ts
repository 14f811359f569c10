import { afterEach, describe, expect, it } from 'vitest';
import type { Ask, BenchOptions } from '../../test/kit/bench-call.ts';
import { DONE, delta, STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { completion, fails, SILENCE, streams, tells, text } from '../../test/kit/plays.ts';

const ROLE = delta({ role: 'assistant', content: '' });

let bench: EngineBench;
let body = 0;
const open = async (options?: BenchOptions): Promise<EngineBench> => {
  bench = createEngineBench(options);
  // What every request holds from its first moment on.
  bench.ask();
  body = bench.engine.buffered();
  expect(body).toBeGreaterThan(50);
  await bench.pass(1);
  expect(bench.engine.buffered()).toBe(0);
  return bench;
};
afterEach(() => bench.quiet());

/** What the engine holds at each of these moments, ms behind the request, without the body while that is needed. */
async function heldAt(moments: readonly number[], ask: Ask = {}) {
  const asked = bench.ask(ask);
  const held: number[] = [];
  let now = 0;
  for (const moment of moments) {
    await bench.pass(moment - now);
    now = moment;
    const isFreed = asked.isDone || asked.ledger.committed !== null;
    held.push(bench.engine.buffered() - (isFreed ? 0 : body));
  }
  return { asked, held };
}

describe('bytes held', () => {
  const HALF = 'data: {"choices":[{"ind';

  it('are the frames before the commit, and the one under assembly', async () => {
    (await open()).play('a', streams([ROLE, { bytes: HALF, ms: 10 }, { bytes: HALF, ms: 10 }], { end: 'hang' }));
    const { asked, held } = await heldAt([1, 11, 21]);
    expect(held).toEqual([ROLE.length, ROLE.length + HALF.length, ROLE.length + 2 * HALF.length]);
    asked.client.close();
    await bench.now();
    expect(bench.engine.buffered()).toBe(0);
  });

  it('are nothing behind the commit, but for a frame under assembly', async () => {
    const whole = text('two');
    const parts = [whole.slice(0, 20), whole.slice(20)];
    const pieces = parts.map((bytes) => ({ bytes, ms: 10 }));
    (await open()).play('a', streams([text('one'), ...pieces, { bytes: STOP, ms: 10 }, DONE]));
    expect((await heldAt([1, 11, 21, 31])).held).toEqual([0, 20, 0, 0]);
  });

  it('are those of a JSON answer until it is whole', async () => {
    const answer = completion('x');
    const pieces = [answer.slice(0, 30), { bytes: answer.slice(30), ms: 10 }];
    (await open()).play('a', tells('x', { body: pieces }));
    const asks = { stream: false };
    bench.ask(asks);
    const short = bench.engine.buffered();
    await bench.pass(11);
    expect(bench.engine.buffered()).toBe(0);
    bench.play('a', tells('x', { body: pieces }));
    bench.ask(asks);
    await bench.pass(1);
    expect(bench.engine.buffered()).toBe(short + 30);
    await bench.pass(10);
    expect(bench.engine.buffered()).toBe(0);
  });

  it('are what a client that can not keep up has not taken', async () => {
    (await open()).play('a', streams([text('one'), { bytes: text('two'), ms: 5000 }, STOP, DONE]));
    const { asked, held } = await heldAt([1, 500, 1500, 9000], { client: { window: 1, drainMs: 1000 } });
    expect(held).toEqual([text('one').length, text('one').length, 0, 0]);
    expect(asked.outcome).toBe('ok');
  });

  it('are given back by an attempt that failed', async () => {
    (await open()).play('a', { ...streams([ROLE, HALF]), end: 'reset' });
    bench.play('b', SILENCE);
    expect((await heldAt([1])).held).toEqual([0]);
  });

  it('are the words of the request once a failure was compared with them, until the commit', async () => {
    (await open()).play('a', fails(503, { message: 'Anna has no room for the northern company today' }));
    bench.play('b', streams([{ bytes: text('x'), ms: 10 }, STOP, DONE]));
    const { asked, held } = await heldAt([1, 5, 11]);
    // Two bytes for each unit, of which folding leaves most.
    for (const words of held.slice(0, 2)) {
      expect(words).toBeGreaterThan(body);
      expect(words).toBeLessThanOrEqual(2 * body);
    }
    expect(held[2]).toBe(0);
    expect(asked.outcome).toBe('ok');
  });

  it('are those words while the request waits for another send', async () => {
    (await open({ targets: ['a'] })).play('a', fails(503, { message: 'Anna has no room for the northern company' }));
    const [held] = (await heldAt([1])).held;
    expect(held).toBeGreaterThan(body);
  });

  it('are no words of it behind a failure that says what errors say', async () => {
    const error = { message: 'The server is overloaded.', type: 'server_error', code: 'overloaded' };
    (await open()).play('a', fails(503, error));
    bench.play('b', SILENCE);
    expect((await heldAt([1])).held).toEqual([0]);
  });

  it('are a sum over all requests', async () => {
    (await open()).play('a', streams([ROLE], { end: 'hang' }));
    const all = [bench.ask(), bench.ask(), bench.ask()];
    await bench.pass(1);
    expect(bench.engine.buffered()).toBe(3 * (body + ROLE.length));
    all[1]?.client.close();
    await bench.now();
    expect(bench.engine.buffered()).toBe(2 * (body + ROLE.length));
    bench.engine.abandonAll();
    await bench.now();
    expect(bench.engine.buffered()).toBe(0);
  });
});
