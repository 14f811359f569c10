import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { call, DONE, delta, STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { completion, says, streams, text } from '../../test/kit/plays.ts';

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

const JSON_HEAD = { 'content-type': 'application/json' };
const json = (body: string) => ({ headers: JSON_HEAD, body: [body] });
const errorFrame = (error: object) => `data: ${JSON.stringify({ error })}\n\n`;
const LENGTH = delta({}, 'length');
const FILTER = delta({}, 'content_filter');
const TOOL = call({ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } });
const TOOL_END = delta({}, 'tool_calls');
const ROLE = delta({ role: 'assistant', content: '' });

describe('what commits a stream', () => {
  it.each([
    ['a preamble, then a cut', streams([ROLE, ': ping\n\n'], { end: 'reset' }), 'incomplete_stream'],
    [
      'a preamble, then an error event',
      streams([ROLE, errorFrame({ message: 'x', code: 'server_error' })]),
      'server_error',
    ],
    ['a preamble, then a clean end', streams([ROLE]), 'incomplete_stream'],
    ['nothing', streams([]), 'empty_stream'],
    ['blank lines', streams(['\n\n', '\n']), 'empty_stream'],
    ['a finish without output', streams([ROLE, STOP, DONE]), 'empty_completion'],
    ['broken data', streams([ROLE, 'data: {"choices":[\n\n']), 'protocol_error'],
    ['HTML', { headers: { 'content-type': 'text/html' }, body: ['<html>x</html>'] }, 'bad_gateway'],
    ['plain text', streams(['Service is starting']), 'protocol_error'],
    ['an error that names overload', streams([errorFrame({ message: 'x', type: 'overloaded_error' })]), 'overloaded'],
  ])('%s is never seen: the next target answers', async (_, play, outcome) => {
    open().play('a', play);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual([outcome, 'ok']);
    expect(asked.client.text).toBe(`${text('hello')}${STOP}${DONE}`);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'ok', servedBy: 'b/m', status: 200 });
  });

  it.each([
    ['text', [ROLE, text('x')], 'ok'],
    ['a tool call', [TOOL], 'ok'],
    ['a length limit without output', [ROLE, LENGTH], 'ok_truncated'],
    ['a filter without output', [ROLE, FILTER], 'refused'],
    ['a filter behind output', [text('x'), FILTER], 'ok_filtered'],
    ['a length limit behind output', [text('x'), LENGTH], 'ok_truncated'],
  ])('%s commits', async (_, body, outcome) => {
    const finish = outcome === 'ok' ? [body[0] === TOOL ? TOOL_END : STOP] : [];
    open().play('a', streams([...body, ...finish, DONE]));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual([outcome]);
    expect(asked.client.text).toBe([...body, ...finish, DONE].join(''));
  });

  it('nothing goes out before the commit, and then all of it at once', async () => {
    open().play('a', streams([ROLE, ': x\n\n', { bytes: text('one'), ms: 500 }, { bytes: STOP, ms: 500 }, DONE]));
    const asked = bench.ask();
    await bench.pass(499);
    expect(asked.client.status).toBeNull();
    expect(bench.engine.buffered()).toBeGreaterThan(ROLE.length);
    await bench.pass(1);
    expect(asked.client.writes).toHaveLength(1);
    expect(asked.client.text).toBe(`${ROLE}: x\n\n${text('one')}`);
  });

  it.each([
    ['maxBytes', { maxBytes: 1000 }],
    ['maxEvents', { maxEvents: 10 }],
  ])('preflight.%s bounds what is held: the current target is committed', async (_, preflight) => {
    open({ settings: { preflight } }).play('a', streams([{ bytes: ROLE, ms: 1, times: 100 }, STOP, DONE]));
    const asked = bench.ask();
    await bench.pass(50);
    expect(asked.client.status).toBe(200);
    expect(bench.engine.buffered()).toBeLessThan(3000);
    await bench.pass(100);
    expect(asked.attempts[0]?.committedAt).not.toBeNull();
  });

  it('blank bytes that never become an answer are bounded', async () => {
    open({ settings: { preflight: { maxBytes: 1000 } } });
    bench.play('a', streams([{ bytes: ' '.repeat(100), ms: 1, times: 100 }]));
    const asked = bench.ask();
    await bench.pass(9);
    expect(bench.engine.buffered()).toBeGreaterThan(800);
    await bench.pass(100);
    expect(asked.outcomes).toEqual(['protocol_error', 'ok']);
    expect(bench.http.sends[0]?.delivered).toBeLessThan(1200);
  });

  it('blank bytes before an answer go out with it', async () => {
    open().play('a', { ...json(completion('x')), body: ['\n', ' \n', completion('x')] });
    const asked = await bench.run({ stream: false });
    expect(asked.outcomes).toEqual(['ok']);
    expect(JSON.parse(asked.client.text)).toMatchObject({ choices: [{ message: { content: 'x' } }] });
  });

  it('the second empty answer is delivered, and nobody is blamed for either', async () => {
    open({ targets: ['a', 'b', 'c'] });
    for (const name of ['a', 'b', 'c']) bench.play(name, streams([ROLE, STOP, DONE]));
    for (let n = 0; n < 8; n++) {
      const asked = await bench.run();
      expect(asked.outcomes).toEqual(['empty_completion', 'ok']);
    }
    expect(bench.word('a')).toBe('ready');
  });

  it('an empty answer counts once another target did answer: the sixth opens the circuit', async () => {
    open().play('a', streams([ROLE, STOP, DONE]));
    for (let n = 0; n < 5; n++) await bench.run();
    expect(bench.word('a')).toBe('ready');
    await bench.run();
    expect(bench.word('a')).toBe('open');
  });

  it('usage that the client did not ask for is asked for, noted and left out', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    const frame = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
    open().play('a', streams([text('x'), STOP, frame, DONE]));
    const asked = await bench.run();
    expect(JSON.parse(bench.http.sends[0]?.body ?? '')).toMatchObject({
      model: 'm',
      stream_options: { include_usage: true },
    });
    expect(asked.client.text).toBe(`${text('x')}${STOP}${DONE}`);
    expect(asked.attempts[0]?.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    expect(asked.ledger.ended?.edits).toEqual(['usage_chunk_left_out']);
  });
});

describe('behind the commit', () => {
  it.each([
    ['a reset', streams([text('one')], { end: 'reset' }), 'incomplete_stream'],
    ['a clean end without a terminal', streams([text('one')]), 'incomplete_stream'],
    [
      'an error event',
      streams([text('one'), errorFrame({ message: 'secret words', code: 'server_error' })]),
      'server_error',
    ],
    ['broken data', streams([text('one'), 'data: {"cho\n\n']), 'protocol_error'],
  ])('%s is told in the stream, and nothing else is sent', async (_, play, reason) => {
    open().play('a', play);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['interrupted']);
    expect(asked.client.ending).toBe('end');
    expect(asked.client.text.startsWith(text('one'))).toBe(true);
    expect(asked.client.text).not.toContain('[DONE]');
    expect(asked.client.text).not.toContain('secret words');
    expect(asked.error).toMatchObject({ code: 'stream_interrupted', understudy: { component: 'target', reason } });
    expect(asked.error?.understudy.attempts).toMatchObject([{ target: 'a/m', outcome: 'interrupted' }]);
    expect(asked.ledger.ended).toMatchObject({ outcome: 'interrupted', reason, servedBy: 'a/m', component: 'target' });
    expect(bench.http.sends).toHaveLength(1);
  });

  it('health is charged as if it had come before', async () => {
    open().play('a', streams([text('one')], { end: 'reset' }));
    for (let n = 0; n < 3; n++) await bench.run();
    expect(bench.word('a')).toBe('open');
  });

  it('usage so far stands in the record of an interrupted attempt', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
    open().play(
      'a',
      streams([`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' } }], usage })}\n\n`], {
        end: 'reset',
      }),
    );
    const asked = await bench.run();
    expect(asked.attempts[0]).toMatchObject({ outcome: 'interrupted', phase: 'streaming', usage: { inputTokens: 5 } });
  });

  it.each([
    ['a cut', 'reset'],
    ['a clean end', 'clean'],
  ] as const)('a terminal before %s makes it complete; the end mark is added', async (_, end) => {
    open().play('a', streams([text('one'), STOP], { end }));
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['ok']);
    expect(asked.client.text).toBe(`${text('one')}${STOP}${DONE}`);
    expect(asked.ledger.ended?.edits).toEqual(['done_added']);
  });

  it('the end mark ends the answer; the socket gets a moment, then it is cut', async () => {
    open().play('a', says('x', { end: 'hang' }));
    const asked = await bench.run();
    expect(asked.client.endedAt).toBe(asked.at);
    await bench.pass(2000);
    expect(bench.http.sends[0]?.abortedAt).toBe(asked.at + 1000);
  });

  it('a socket that ends by itself leaves no timer behind', async () => {
    open().play('a', says('x', { endMs: 10 }));
    await bench.run();
    await bench.pass(20);
    expect(bench.clock.pending).toBe(0);
  });
});

describe('the end of a tool call', () => {
  const upTo = (body: readonly string[], end: 'reset' | 'clean' | 'hang') =>
    streams([text('x'), TOOL, ...body], { end });

  it.each([
    ['a reset', upTo([TOOL_END], 'reset')],
    ['an error event', upTo([TOOL_END, errorFrame({ message: 'x', code: 'server_error' })], 'clean')],
    ['silence', upTo([TOOL_END, ': ping\n\n'], 'hang')],
  ])('is not seen when %s follows', async (_, play) => {
    open().play('a', play);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['interrupted']);
    expect(asked.client.text).not.toContain('"tool_calls","index"');
    expect(asked.client.text).not.toContain(TOOL_END);
    expect(asked.error?.code).toBe('stream_interrupted');
  });

  it('is seen once the end mark or a clean end has come', async () => {
    open().play('a', upTo([TOOL_END, DONE], 'clean'), upTo([TOOL_END], 'clean'));
    for (let n = 0; n < 2; n++) {
      const asked = await bench.run();
      expect(asked.outcomes).toEqual(['ok']);
      expect(asked.client.text).toBe(`${text('x')}${TOOL}${TOOL_END}${DONE}`);
    }
  });

  it('goes out at once with holdToolEnd: false', async () => {
    open({ settings: { holdToolEnd: false } }).play('a', upTo([TOOL_END], 'hang'));
    const asked = bench.ask();
    await bench.now();
    expect(asked.client.text).toContain(TOOL_END);
    asked.client.close();
    await bench.now();
    expect(asked.outcome).toBe('ok');
  });

  it('output that waits is progress all the same', async () => {
    const minute = 60_000;
    open({ settings: { holdToolEnd: 'all' } });
    // A second call begins, so that the first has ended; from then on everything waits for the terminal.
    const second = call({ index: 1, id: 'call_2', type: 'function', function: { name: 'g', arguments: '' } });
    const piece = call({ index: 1, function: { arguments: ' ' } });
    bench.play(
      'a',
      streams([
        TOOL,
        second,
        { bytes: piece, ms: minute, times: 8 },
        call({ index: 1, function: { arguments: '{}' } }),
        TOOL_END,
        DONE,
      ]),
    );
    const asked = await bench.run();
    expect(asked.outcomes).toEqual(['ok']);
  });

  it('comments that come meanwhile are bounded', async () => {
    open({ settings: { preflight: { maxBytes: 1000 } } });
    bench.play('a', streams([TOOL, TOOL_END, { bytes: `: ${'x'.repeat(100)}\n\n`, ms: 1, times: 100 }, DONE]));
    const asked = bench.ask();
    await bench.pass(90);
    expect(bench.engine.buffered()).toBeLessThan(2500);
    await bench.pass(2000);
    expect(asked.outcome).toBe('ok');
  });
});
