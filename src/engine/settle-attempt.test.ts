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

describe('the books of an attempt', () => {
  it('name the edits of the answer that was given out, and of no other', async () => {
    open().play('a', streams(['data: noise\n\n'], { end: 'reset' }));
    expect((await bench.run()).ledger.ended).toMatchObject({ outcome: 'ok', edits: [] });
    bench.play('b', streams(['data: noise\n\n', text('x'), STOP, DONE]));
    bench.play('a', fails(500));
    expect((await bench.run()).ledger.ended?.edits).toEqual(['noise_left_out']);
  });

  it('hold no word of a provider that has our key in it', async () => {
    open({ ports: () => ({ clean: (said: string) => said.replaceAll('sk-1', '[secret]') }) });
    bench.play('a', fails(400, { message: 'bad sk-1', code: 'sk-1', param: 'x.sk-1', type: 'invalid_request_error' }));
    const { attempts, client } = await bench.run();
    expect(attempts[0]?.failure).toMatchObject({ code: null, param: null, type: 'invalid_request_error' });
    expect(client.text).not.toContain('sk-1');
  });

  it.each<[string, boolean]>([
    ['before output', false],
    ['behind output', true],
  ])('hold no sentence of the prompt in the place of a code, %s', async (_, isLate) => {
    const prompt = 'my aunt Wilhelmina lives with four herons in Kleinmachnow';
    const slug = prompt.replaceAll(' ', '_');
    const error = { message: '', code: slug, param: slug.replaceAll('_', '.'), type: slug.replaceAll('_', '-') };
    open({ targets: ['a'] });
    bench.play('a', isLate ? streams([text('x'), `data: ${JSON.stringify({ error })}\n\n`]) : fails(400, error));
    const { attempts, client } = await bench.run({ body: { messages: [{ role: 'user', content: prompt }] } });
    expect(attempts[0]?.failure).not.toBeNull();
    for (const told of [JSON.stringify(attempts), client.text]) expect(told).not.toMatch(/aunt|heron|kleinm/i);
  });

  it('name a hold, and no slowness', async () => {
    open({ settings: { timeouts: { headersMs: SECOND } } });
    bench.play('a', fails(429, {}, { headers: { 'retry-after': '7' } }));
    const limited = await bench.run();
    expect(limited.attempts[0]).toMatchObject({ cooldownUntil: limited.at + 7 * SECOND });
    bench.play('b', SILENCE);
    const silent = await bench.run();
    expect(silent.attempts[0]).toMatchObject({ target: 'b/m', outcome: 'timeout_headers', cooldownUntil: null });
    expect(bench.word('b')).toBe('slow');
  });

  it('draw the wait before each repeat anew', async () => {
    let drawn = 0;
    open({
      targets: ['a'],
      settings: { retry: { sameTarget: 2 } },
      ports: () => ({ random: { next: () => (drawn++ % 64) / 64 } }),
    });
    bench.play('a', fails(503), fails(503), says('hello'));
    const { attempts, outcomes } = await bench.run();
    expect(outcomes).toEqual(['server_error', 'server_error', 'ok']);
    const share = (n: number, windowMs: number): number =>
      ((attempts[n]?.startedAt ?? 0) - (attempts[n - 1]?.endedAt ?? 0)) / windowMs;
    expect(Math.abs(share(1, 250) - share(2, 500))).toBeGreaterThan(0.01);
  });
});
