import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../core/model/answer.ts';
import { decodeUtf8 } from '../json/index.ts';
import type { AnswerOptions } from '../translation.ts';
import { translation } from './translation.ts';

function options(usageAsked = false): AnswerOptions {
  let ids = 0;
  return { model: 'virtual', usageAsked, createId: (prefix) => `${prefix}${ids++}`, now: 2_500 };
}
const write = (...events: readonly AnswerEvent[]) => {
  const encoder = translation.createAnswerEncoder(options());
  const text = events.map((event) => decodeUtf8(encoder.push([event]))).join('');
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json as string).choices[0]);
};
const TEXT = { type: 'block_start', block: 0, choice: 0, content: { type: 'text' } } as const;
const THOUGHT = { type: 'block_start', block: 0, choice: 0, content: { type: 'reasoning', isSummary: true } } as const;
const END = { type: 'end' } as const;
const of = (choice: { delta: object }): object => choice.delta;

describe('writing', () => {
  it('a whole answer', () => {
    const encoder = translation.createAnswerEncoder(options(true));
    const usage = {
      inputTokens: 3,
      outputTokens: null,
      reasoningTokens: null,
      cachedTokens: 1,
      cacheWriteTokens: null,
      source: 'reported',
    } as const;
    const text = decodeUtf8(
      encoder.push([
        { type: 'start', id: 'msg_1', model: 'x', createdAt: null, serviceTier: 'standard' },
        TEXT,
        { type: 'delta', block: 0, text: 'a' },
        { type: 'usage', usage },
        { type: 'finish', choice: 0, reason: 'length', raw: 'max_tokens' },
        END,
        END,
      ]),
    );
    const head =
      '"id":"chatcmpl-0","object":"chat.completion.chunk","created":2,"model":"virtual","service_tier":"default"';
    expect(text).toBe(
      [
        `data: {${head},"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}],"usage":null}`,
        `data: {${head},"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}],"usage":null}`,
        `data: {${head},"choices":[{"index":0,"delta":{},"finish_reason":"length"}],"usage":null}`,
        `data: {${head},"choices":[],"usage":{"prompt_tokens":3,"prompt_tokens_details":{"cached_tokens":1}}}`,
        'data: [DONE]',
        '',
      ].join('\n\n'),
    );
  });

  it('a call, its state in the first piece where it is known by then', () => {
    const start = {
      type: 'block_start',
      block: 0,
      choice: 0,
      content: { type: 'tool_call', kind: 'function', id: '', name: 'f' },
    } as const;
    const state = { type: 'state', block: 0, state: { issuer: 'openai-chat', value: 'sig' } } as const;
    const encoder = translation.createAnswerEncoder(options());
    const text = decodeUtf8(encoder.push([start, state, END]));
    expect(text).toContain(
      '"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"sig"}}}]',
    );
    expect(text).toContain('"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]');
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it('sections of a summary as paragraphs, and the state of its own issuer alone', () => {
    const events = [
      THOUGHT,
      { type: 'delta', block: 0, text: 'a', section: 0 },
      { type: 'delta', block: 0, text: 'b', section: 1 },
      { type: 'state', block: 0, state: { issuer: 'openai-chat', value: 'token' } },
      { type: 'state', block: 0, state: { issuer: 'gemini', value: 'other' } },
      END,
    ] as const;
    expect(
      write(...events)
        .map(of)
        .slice(1, -1),
    ).toEqual([
      { reasoning_content: 'a' },
      { reasoning_content: '\n\nb' },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'token' }] },
    ]);
  });

  it('places of citations in the whole message', () => {
    const citation = { url: 'u', title: null, citedText: null, start: null, end: null, source: null };
    const deltas = write(
      TEXT,
      { type: 'delta', block: 0, text: 'abc' },
      { type: 'block_end', block: 0 },
      { ...TEXT, block: 1 },
      { type: 'delta', block: 1, text: 'de' },
      { type: 'citation', block: 1, citation },
      { type: 'citation', block: 1, citation: { ...citation, url: null } },
      END,
    ).map(of);
    expect(deltas.at(-2)).toEqual({
      annotations: [{ type: 'url_citation', url_citation: { start_index: 3, end_index: 5, url: 'u', title: 'u' } }],
    });
  });

  it.each([
    ['refusal', 'content_filter'],
    ['error', 'length'],
    ['bad_generation', 'length'],
    ['unknown', 'stop'],
    ['tool_calls', 'stop'],
  ] as const)('%s as %s', (reason, word) => {
    const choices = write(TEXT, { type: 'finish', choice: 0, reason, raw: 'x' }, END);
    expect(choices.at(-1).finish_reason).toBe(word);
  });

  it('log probabilities beside what they are of, in lists of its own', () => {
    const content = [{ token: 'a', logprob: -1 }];
    const weigh = { type: 'logprobs', choice: 0, content } as const;
    const words = { type: 'delta', block: 0, text: 'a' } as const;
    const refused = { ...TEXT, content: { type: 'refusal' } } as const;
    const body = (...events: readonly AnswerEvent[]) =>
      JSON.parse(decodeUtf8(translation.writeAnswer(events, options()))).choices[0].logprobs;
    expect(body(TEXT, words, weigh, weigh)).toEqual({ content: [...content, ...content], refusal: null });
    expect(body(refused, words, weigh)).toEqual({ content: null, refusal: content });
    expect(content).toHaveLength(1);
  });

  it('a JSON answer of several choices, with usage though nobody asked', () => {
    const usage = {
      inputTokens: 3,
      outputTokens: 2,
      reasoningTokens: null,
      cachedTokens: null,
      cacheWriteTokens: null,
      source: 'reported',
    } as const;
    const body = translation.writeAnswer(
      [
        { ...TEXT, choice: 1 },
        { type: 'delta', block: 0, text: 'a' },
        { ...THOUGHT, block: 1 },
        { type: 'delta', block: 1, text: 'h' },
        { type: 'usage', usage },
      ],
      options(),
    );
    expect(JSON.parse(decodeUtf8(body))).toEqual({
      id: 'chatcmpl-0',
      object: 'chat.completion',
      created: 2,
      model: 'virtual',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, refusal: null, reasoning_content: 'h' },
          logprobs: null,
          finish_reason: 'stop',
        },
        {
          index: 1,
          message: { role: 'assistant', content: 'a', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
  });
});
