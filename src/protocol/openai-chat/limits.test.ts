import { describe, expect, it } from 'vitest';
import { call, DONE, delta, run } from '../../../test/kit/chat-stream.ts';
import { growth } from '../../../test/kit/growth.ts';
import type { Part } from '../../core/model/content.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { BODY_LIMITS } from '../shared/request-shape.ts';
import { MAX_CALLS } from './call-book.ts';
import { openaiChat } from './index.ts';
import { MAX_CHOICES } from './inspect.ts';
import { translation } from './translation.ts';

const OPTIONS = { renameModel: null, choices: 1, maxOutputTokens: null };

const list = (length: number, item: (i: number) => string): string =>
  `[${Array.from({ length }, (_, i) => item(i)).join()}]`;
const answer = (message: string, rest = '"finish_reason":"tool_calls"'): Uint8Array =>
  encodeUtf8(`{"id":"x","choices":[{"index":0,"message":${message},${rest}}]}`);
const calls = (length: number): string =>
  `{"tool_calls":${list(length, () => '{"id":"a","function":{"name":"f","arguments":{}}}')}}`;
const judge = (body: Uint8Array) => openaiChat.decodeResponse(body, OPTIONS);
const isMalformed = (body: Uint8Array): boolean => judge(body).events.some(({ type }) => type === 'malformed');
const request = (rest: string) => openaiChat.decodeRequest(encodeUtf8(`{"model":"m",${rest}}`), {});

describe('an answer', () => {
  it('may have as many calls as anybody makes, each with an id of its own', () => {
    const { body, events } = judge(answer(calls(MAX_CALLS)));
    expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(MAX_CALLS);
    const ids = [...decodeUtf8(body).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(MAX_CALLS + 1);
  });

  it('is malformed beyond that, and beyond other limits', () => {
    expect(isMalformed(answer(calls(MAX_CALLS + 1)))).toBe(true);
    expect(isMalformed(answer(`{"content":${list(150_000, () => '{"text":"a"}')}}`))).toBe(true);
    const choice = '{"message":{"content":"a"},"finish_reason":"stop"}';
    expect(isMalformed(encodeUtf8(`{"choices":${list(MAX_CHOICES + 1, () => choice)}}`))).toBe(true);
    expect(isMalformed(encodeUtf8(`{"choices":${list(MAX_CHOICES, () => choice)}}`))).toBe(false);
  });

  it('may have its members in one object', () => {
    const wide = (length: number): string => Array.from({ length }, (_, i) => `"m${i}":1`).join();
    const [message, metadata] = [`{"content":"a",${wide(20_000)}}`, `"metadata":{${wide(20_000)}}`];
    const { events, body } = judge(answer(message, `"finish_reason":"stop",${metadata},${wide(20_000)}`));
    expect(events.map(({ type }) => type)).toEqual(['text', 'finish']);
    expect(body.length).toBeGreaterThan(500_000);
    const { frames } = run(delta({ content: 'a', ...(JSON.parse(`{${wide(20_000)}}`) as object) }, 'stop') + DONE);
    expect(frames.flatMap((frame) => frame.events.map(({ type }) => type))).toEqual(['text', 'finish', 'done']);
  });

  it('is refused at the limit, however much there is behind it', () => {
    const judging = (length: number) => {
      const body = answer('{"content":"a"}', `"x":[${'[1],'.repeat(length)}1]`);
      return () => judge(body);
    };
    expect(judging(300_000)().events).toMatchObject([{ type: 'malformed' }]);
    expect(growth(300_000, judging)).toBeLessThan(4);
  });

  it('may have any number of log probabilities', () => {
    const logprobs = `"finish_reason":"stop","logprobs":{"content":${list(300_000, () => '{"token":"a"}')}}`;
    const { events, body } = judge(answer('{"content":"a"}', logprobs));
    expect(events).toEqual([
      { type: 'text', text: 'a' },
      { type: 'finish', reason: 'stop', raw: 'stop' },
    ]);
    expect(body.length).toBeGreaterThan(300_000);
  });

  it('may stand behind a byte order mark, which is left out', () => {
    const plain = answer('{"content":"a"}', '"finish_reason":"stop"');
    const marked = judge(Uint8Array.of(0xef, 0xbb, 0xbf, ...plain));
    expect(marked).toEqual({ ...judge(plain), edits: ['noise_left_out'] });
  });
});

describe('a stream', () => {
  it('is malformed with more calls or choices than an answer may have', () => {
    const many = (from: number, length: number): string =>
      call(...Array.from({ length }, (_, i) => ({ index: from + i, id: `c${from + i}`, function: { name: 'f' } })));
    expect(run(many(0, 1000) + many(1000, 24)).types).not.toContain('malformed');
    expect(run(many(0, 1000) + many(1000, 25)).types).toContain('malformed');
    const choices = (length: number): string =>
      Array.from({ length }, (_, i) => delta({ content: 'a' }, null, i)).join('');
    expect(run(choices(MAX_CHOICES)).types).not.toContain('malformed');
    expect(run(choices(MAX_CHOICES + 1)).types).toContain('malformed');
  });

  it('joins blank lines into one frame', () => {
    const { frames } = run('\n'.repeat(10_000));
    expect(frames.map(({ bytes, count, events }) => [bytes.length, count, events])).toEqual([
      [10_000, 10_000, [{ type: 'comment' }]],
    ]);
    expect(run(`${DONE}${'\n'.repeat(10_000)}`).frames).toHaveLength(2);
  });

  it('has the words of a provider for words', () => {
    for (const word of ['constructor', '__proto__', 'toString']) {
      expect(run(delta({ content: 'a' }, word)).types).toEqual(['text', 'finish:unknown', 'done']);
    }
  });

  it('costs what its bytes cost, however a call is cut', () => {
    const pieces = (length: number): string =>
      Array.from({ length }, (_, i) =>
        call({ index: 0, function: { name: 'f', arguments: `${i === 0 ? '{"a":"' : ''}${'x'.repeat(200)}` } }),
      ).join('');
    expect(
      growth(300, (length) =>
        (
          (text) => () =>
            run(text)
        )(pieces(length)),
      ),
    ).toBeLessThan(30);
  });
});

describe("a client's body", () => {
  it.each([
    ['messages', `"messages":${list(BODY_LIMITS.lists.messages + 1, () => '{"role":"user"}')}`],
    ['tools', `"messages":[{"role":"user"}],"tools":${list(BODY_LIMITS.lists.tools + 1, () => '{}')}`],
    ['messages[1].content', `"messages":[{"role":"user"},{"content":${list(BODY_LIMITS.content + 1, () => '{}')}}]`],
    ['messages[0].tool_calls', `"messages":[{"tool_calls":${list(BODY_LIMITS.tool_calls + 1, () => '{}')}}]`],
    [null, `"messages":${list(10, () => `{"a":${list(60_000, () => '1')}}`)}`],
    [null, `"messages":[{"role":"user"}],${Array.from({ length: 1024 }, (_, i) => `"m${i}":1`).join()}`],
  ])('is refused where it is beyond a limit: %s', (param, rest) => {
    expect(request(rest)).toMatchObject({
      ok: false,
      problem: { param, message: expect.stringMatching(/more than \d+/) },
    });
  });

  it('may have schemas as wide as it likes', () => {
    const properties = Array.from({ length: 50_000 }, (_, i) => `"p${i}":{"type":"string"}`).join();
    const tools = `[{"type":"function","function":{"name":"f","parameters":{"properties":{${properties}}}}}]`;
    expect(request(`"messages":[{"role":"user"}],"tools":${tools}`)).toMatchObject({ ok: true });
  });

  it('is told from a broken one when it is nested too deeply', () => {
    expect(request(`"messages":${'['.repeat(600)}${']'.repeat(600)}`)).toMatchObject({
      problem: { message: expect.stringContaining('512 levels') },
    });
  });

  it('may have keys in escapes, which are read and cost no parser', () => {
    const escaped = encodeUtf8('{"m\\u006fdel":"m","messag\\u0065s":[{"r\\u006Fle":"tool"}]}');
    expect(openaiChat.decodeRequest(escaped, {})).toMatchObject({
      ok: true,
      request: { model: 'm', endsWithToolResult: true },
    });
    const parse = JSON.parse;
    let parsed = 0;
    JSON.parse = (...args) => {
      parsed++;
      return parse(...args);
    };
    try {
      expect(
        request(`"messages":[{"role":"user",${Array.from({ length: 5000 }, () => '"\\u0061bcdefgh":1').join()}}]`).ok,
      ).toBe(true);
    } finally {
      JSON.parse = parse;
    }
    expect(parsed).toBeLessThan(20);
  });
});

describe('a translation costs what there is to translate', () => {
  const state = {
    issuer: 'openai-chat',
    value: '{"reasoning_details":[{"type":"reasoning.encrypted","data":"a"}]}',
  } as const;
  it.each<[string, Part]>([
    ['texts', { type: 'text', text: 'a' }],
    ['refusals', { type: 'refusal', text: 'a' }],
    ['thoughts', { type: 'reasoning', text: '', state }],
  ])('of a message of many %s', (_name, part) => {
    const writing = (length: number) => {
      const messages = [{ role: 'assistant', parts: Array.from({ length }, () => ({ ...part })) }] as const;
      const egress = { model: 'm', stream: false, askUsage: false, capabilities: {}, defaults: {} };
      return () => translation.writePrompt({ messages, tools: [], settings: {} }, egress);
    };
    expect(growth(1500, writing)).toBeLessThan(40);
  });

  it('of an answer with many details', () => {
    const frames = (length: number): Uint8Array[] =>
      Array.from({ length }, (_, index) =>
        encodeUtf8(delta({ reasoning_details: [{ type: 'reasoning.text', text: 'a', index }] })),
      );
    const reading = (length: number) => {
      const made = frames(length);
      return () => {
        const decoder = translation.createAnswerDecoder();
        for (const frame of made) decoder.push(frame);
        decoder.end();
      };
    };
    expect(growth(500, reading)).toBeLessThan(40);
  });
});
