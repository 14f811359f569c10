import { afterEach, describe, expect, it } from 'vitest';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { STOP, said, start, stop } from '../../test/kit/messages-stream.ts';
import { says } from '../../test/kit/plays.ts';
import { concatBytes, decodeUtf8 } from '../protocol/json/index.ts';
import type { Play } from '../simulate/world/network.ts';

// A client of Chat on targets of Messages: what is special about an attempt that was translated.

let bench: EngineBench;
afterEach(() => bench.quiet());

const foreign = (id: string) => ({ id, protocol: 'anthropic-messages' as const });

const open = (...targets: readonly (string | ReturnType<typeof foreign>)[]): EngineBench => {
  bench = createEngineBench({ targets });
  return bench;
};

const answers = (words: string): Play => ({ body: [start() + said(words), stop() + STOP] });

const refuses = (error: object, status = 400): Play => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: [JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', ...error } })],
});

const sent = (n: number) => {
  const { request } = bench.http.sends[n] ?? {};
  return {
    headers: request?.headers,
    path: request?.path,
    body: JSON.parse(decodeUtf8(concatBytes(request?.body ?? []))),
  };
};

describe('an attempt on a target of another protocol', () => {
  it('writes and reads that protocol, and the client gets its own', async () => {
    open('a', foreign('b')).play('a', { status: 503 });
    bench.play('b', answers('Hello'));
    const asked = await bench.run({ body: { seed: 7 }, forward: { 'openai-beta': 'x', traceparent: 'y' } });
    expect(asked.outcomes).toEqual(['server_error', 'ok']);
    expect(sent(1).path).toMatch(/\/messages$/);
    expect(sent(1).body).toMatchObject({ model: 'm', stream: true, messages: [{ role: 'user' }] });
    expect(sent(1).headers).not.toHaveProperty('openai-beta');
    expect(sent(1).headers).toHaveProperty('traceparent', 'y');
    expect(asked.data.at(-1)).toBe('[DONE]');
    expect(asked.data.join('')).toContain('Hello');
    expect(asked.client.headers).toMatchObject({ 'x-understudy-dropped': 'seed', 'x-understudy-target': 'b/m' });
    expect(asked.attempts[1]?.why).toContain('dropped in translation: seed');
  });

  it('names nothing that was dropped by the name of a key', async () => {
    open(foreign('a')).play('a', answers('Hello'));
    const asked = await bench.run({ body: { seed: 7, 'key-of-a': 1 } });
    expect(asked.client.headers).toMatchObject({ 'x-understudy-dropped': 'seed, 1 more' });
  });

  it('is no fault of the client’s where the target calls the request bad: the next target is asked', async () => {
    open(foreign('a'), 'b').play('a', refuses({ message: 'messages.0: strange' }));
    bench.play('b', says('B'));
    const asked = await bench.run();
    expect(asked.attempts[0]?.failure).toMatchObject({ row: 'translated_request', component: 'gateway' });
    expect(asked.outcome).toBe('ok');
    expect(bench.word('a')).toBe('ready');
  });

  it('that everybody calls bad is told in words that mean something to the client, and as the gateway’s writing', async () => {
    const say = (param: string) => refuses({ message: 'messages[3].content: strange', code: 'odd', param });
    for (const [param, told] of [
      ['messages[3].content', null],
      ['max_output_tokens', null],
      ['top_p', 'top_p'],
    ] as const) {
      open(foreign('a')).play('a', say(param));
      const asked = await bench.run({ body: { top_p: 0.5 } });
      expect(asked.client.status).toBe(400);
      expect(asked.error).toMatchObject({
        code: 'invalid_request_error',
        param: told,
        message: 'a/m refused the request as the gateway wrote it in Messages: messages[3].content: strange',
        understudy: { component: 'gateway' },
      });
      expect(asked.ledger.ended).toMatchObject({ outcome: 'bad_request', component: 'gateway' });
    }
  });

  it('keeps its code where both protocols are of one maker', async () => {
    bench = createEngineBench({ targets: [{ id: 'a', protocol: 'openai-responses' }] });
    const error = { message: 'x', type: 'invalid_request_error', code: 'invalid_value', param: 'input[0].content' };
    bench.play('a', {
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: [JSON.stringify({ error })],
    });
    const asked = await bench.run();
    expect(asked.error).toMatchObject({ code: 'invalid_value', type: 'invalid_request_error', param: null });
  });

  it('goes once more without a setting that the target refuses, and from then on at once', async () => {
    open(foreign('a'), 'b').play('a', refuses({ message: 'top_p is not supported' }), answers('A'));
    const body = { top_p: 0.9, temperature: 0.5 };
    const first = await bench.run({ body });
    expect(first.outcomes).toEqual(['unsupported_capability', 'ok']);
    expect([sent(0).body.top_p, sent(1).body.top_p, sent(1).body.temperature]).toEqual([0.9, undefined, 0.5]);
    expect(first.client.headers).toMatchObject({ 'x-understudy-dropped': 'top_p', 'x-understudy-target': 'a/m' });
    const second = await bench.run({ body });
    expect(second.outcomes).toEqual(['ok']);
    expect(sent(2).body).not.toHaveProperty('top_p');
  });

  it('that is cut behind output ends in the client’s own error, and never looks whole', async () => {
    open(foreign('a')).play('a', { body: [start() + said('Half')], end: 'reset' });
    const asked = await bench.run();
    expect(asked.outcome).toBe('interrupted');
    expect(asked.error?.code).toBe('stream_interrupted');
    expect(asked.data).not.toContain('[DONE]');
  });

  it('whose error repeats the request tells nothing of it', async () => {
    open(foreign('a'));
    const prompt = 'The treasure lies under the seventh oak behind the old mill.';
    bench.playEach(() => ({
      status: 429,
      headers: { 'content-type': 'application/json' },
      body: [
        JSON.stringify({
          error: { type: 'rate_limit_error', message: `Too many: "content":[{"type":"text","text":"${prompt}"}]` },
        }),
      ],
    }));
    const asked = await bench.run({ body: { messages: [{ role: 'user', content: prompt }] } });
    expect(JSON.stringify(asked.facts)).not.toContain('seventh oak');
    expect(JSON.stringify(asked.error)).not.toContain('seventh oak');
  });
});
