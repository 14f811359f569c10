import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { DONE, STOP } from '../../test/kit/chat-stream.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { completion, fails, streams, tells, text } from '../../test/kit/plays.ts';

let bench: EngineBench;
const open = (options?: BenchOptions): EngineBench => {
  bench = createEngineBench(options);
  return bench;
};
afterEach(() => bench.quiet());

const JSON_HEAD = { 'content-type': 'application/json' };
const json = (body: string) => ({ headers: JSON_HEAD, body: [body] });
describe('a JSON answer', () => {
  it('goes out as it came', async () => {
    open().play('a', tells('x', { headers: { ...JSON_HEAD, 'x-request-id': 'up1', 'set-cookie': 'a=b' } }));
    const asked = await bench.run({ stream: false });
    expect(asked.client.text).toBe(completion('x'));
    expect(asked.client.headers).toEqual({
      'content-type': 'application/json',
      'x-understudy-target': 'a/m',
      'x-understudy-attempts': '1',
      'x-understudy-model': 'main',
      'x-upstream-request-id': 'up1',
    });
  });

  it.each([
    ['an error object with 200', json('{"error":{"message":"x","code":"server_error"}}'), 'server_error'],
    ['HTML', { headers: { 'content-type': 'text/html' }, body: ['<html>'] }, 'bad_gateway'],
    ['no choices', json('{"id":"x","choices":[]}'), 'protocol_error'],
    ['no object', json('[1]'), 'protocol_error'],
    ['half an object', json('{"choices":[{"mess'), 'protocol_error'],
    ['no output', json(completion('')), 'empty_completion'],
    ['a cut', tells('x', { end: 'closed' }), 'incomplete_stream'],
    ['nothing', { headers: JSON_HEAD, body: [] }, 'empty_stream'],
  ])('%s is judged whole, and never seen', async (_, play, outcome) => {
    open().play('a', play);
    bench.play('b', tells('fine'));
    const asked = await bench.run({ stream: false });
    expect(asked.outcomes).toEqual([outcome, 'ok']);
    expect(asked.client.text).toBe(completion('fine'));
  });

  it('nothing of it goes out before it is whole', async () => {
    open().play('a', {
      headers: JSON_HEAD,
      body: [completion('x').slice(0, 50), { bytes: completion('x').slice(50), ms: 500 }],
    });
    const asked = bench.ask({ stream: false });
    await bench.pass(499);
    expect(asked.client.status).toBeNull();
    await bench.pass(1);
    expect(asked.client.text).toBe(completion('x'));
  });

  it('above maxJson it streams through, and a cut destroys the connection', async () => {
    open({ settings: { preflight: { maxJson: 200 } } });
    bench.play('a', tells('y'.repeat(500)), tells('y'.repeat(500), { end: 'reset' }));
    const whole = await bench.run({ stream: false });
    expect(whole.client.text).toBe(completion('y'.repeat(500)));
    expect(whole.outcome).toBe('ok');
    const cut = await bench.run({ stream: false });
    expect(cut.client.ending).toBe('destroy');
    expect(cut.ledger.ended).toMatchObject({ outcome: 'interrupted', reason: 'incomplete_stream', status: 200 });
    expect(cut.client.text).not.toContain('error');
  });

  it('for a stream request is converted', async () => {
    open().play('a', tells('x'));
    const asked = await bench.run();
    expect(asked.client.headers['content-type']).toContain('text/event-stream');
    expect(asked.client.text).toContain('"content":"x"');
    expect(asked.client.text.endsWith(DONE)).toBe(true);
    expect(asked.ledger.ended?.edits).toContain('converted_to_stream');
  });

  it('SSE for a JSON request is converted, once it is whole', async () => {
    open().play('a', streams([text('one '), { bytes: text('two'), ms: 500 }, STOP, DONE]));
    const asked = bench.ask({ stream: false });
    await bench.pass(499);
    expect(asked.client.status).toBeNull();
    await bench.pass(1);
    expect(JSON.parse(asked.client.text)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: 'one two' } }],
    });
    expect(asked.client.headers['content-type']).toBe('application/json');
    expect(asked.ledger.ended?.edits).toContain('converted_to_json');
  });

  it('SSE for a JSON request that breaks off behind output is never seen', async () => {
    open().play('a', streams([text('one')], { end: 'reset' }));
    bench.play('b', tells('fine'));
    const asked = await bench.run({ stream: false });
    expect(asked.outcomes).toEqual(['incomplete_stream', 'ok']);
    expect(asked.client.text).toBe(completion('fine'));
  });

  it('what is collected for a JSON client is bounded by maxJson', async () => {
    open({ settings: { preflight: { maxJson: 500 } } });
    bench.play('a', streams([{ bytes: text('z'.repeat(100)), ms: 1, times: 50 }]));
    bench.play('b', tells('fine'));
    const asked = await bench.run({ stream: false });
    expect(asked.outcomes).toEqual(['protocol_error', 'ok']);
    expect(bench.http.sends[0]?.delivered).toBeLessThan(1500);
  });
});

describe('an error status', () => {
  it.each([
    ['whole', fails(503)],
    ['stalled', fails(503, {}, { end: 'hang' })],
    ['cut', fails(503, {}, { end: 'reset' })],
    ['empty', fails(503, {}, { body: [] })],
    ['huge', fails(503, {}, { body: [{ bytes: 'x'.repeat(10_000), ms: 1, times: 1000 }] })],
    ['HTML', fails(503, {}, { body: ['<html>'] })],
    ['half', fails(503, {}, { body: ['{"error":{"mess'], end: 'closed' })],
    ['dripping', fails(503, {}, { body: [{ bytes: ' ', ms: 100, times: 10_000 }] })],
  ])('with a body that is %s says what the status says, soon', async (name, play) => {
    open().play('a', play);
    const asked = await bench.run();
    expect(asked.outcomes).toEqual([name === 'HTML' ? 'bad_gateway' : 'server_error', 'ok']);
    expect(asked.client.endedAt).toBeLessThanOrEqual(asked.at + 5000);
    expect(bench.http.sends[0]?.delivered).toBeLessThan(300_000);
  });

  it('a large page in one piece is still known for what it is', async () => {
    open().play('a', { status: 200, headers: {}, body: [`<html>${'x'.repeat(300_000)}`] });
    expect((await bench.run()).outcomes).toEqual(['bad_gateway', 'ok']);
  });

  it('words of a provider that hold a key do not get out', async () => {
    open({ targets: ['a'] }).play(
      'a',
      fails(400, { message: 'you sent key of a_default, why', code: 'key of a_default' }),
    );
    const asked = await bench.run();
    expect(asked.client.status).toBe(400);
    expect(asked.client.text).not.toContain('key of');
    expect(JSON.stringify(asked.facts)).not.toContain('key of');
  });
});
