import { describe, expect, it } from 'vitest';
import { payloads } from '../../../test/kit/responses-stream.ts';
import { responsesFaults } from '../../../test/kit/responses-validator.ts';
import type { AnswerEvent } from '../../core/model/answer.ts';
import { decodeUtf8 } from '../json/index.ts';
import type { AnswerOptions } from '../translation.ts';
import { translation } from './translation.ts';

const OPTIONS: AnswerOptions = { model: 'v', usageAsked: true, createId: (prefix) => `${prefix}new`, now: 9_999 };
const TEXT = { type: 'text' };
const CALL = { type: 'tool_call', kind: 'function', id: 'call_1', name: 'pay' };

const encode = (...events: AnswerEvent[]): string => {
  const encoder = translation.createAnswerEncoder(OPTIONS);
  return events.map((one) => decodeUtf8(encoder.push([one]))).join('');
};
const begin = (block: number, content: object): AnswerEvent =>
  ({ type: 'block_start', block, choice: 0, content }) as AnswerEvent;
const say = (block: number, text: string, section?: number): AnswerEvent => ({
  type: 'delta',
  block,
  text,
  ...(section === undefined ? {} : { section }),
});
const stop = (block: number): AnswerEvent => ({ type: 'block_end', block });
const ended = (reason: string): AnswerEvent[] => [
  { type: 'finish', choice: 0, reason, raw: null } as AnswerEvent,
  { type: 'end' },
];

const types = (text: string): string[] => payloads(text).map(({ type }) => String(type).replace('response.', ''));
const output = (text: string): unknown => (payloads(text).at(-1) as { response: { output: unknown } }).response.output;

describe('createAnswerEncoder', () => {
  it('says each event as soon as it is known, and opens and closes all', () => {
    const text = encode(
      { type: 'start', id: 'msg_01', model: 'claude', createdAt: null },
      begin(0, TEXT),
      say(0, 'a'),
      stop(0),
      ...ended('stop'),
    );
    expect(types(text)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    const last = payloads(text).at(-1)?.['response'];
    expect(last).toMatchObject({
      id: 'resp_new',
      model: 'v',
      created_at: 9,
      status: 'completed',
      usage: null,
      error: null,
    });
  });

  it('texts that follow each other are one message, and everything else an item', () => {
    const text = encode(
      begin(0, TEXT),
      say(0, 'a'),
      stop(0),
      begin(1, { type: 'refusal' }),
      say(1, 'b'),
      stop(1),
      begin(2, CALL),
      stop(2),
      begin(3, TEXT),
      say(3, 'c'),
      ...ended('tool_calls'),
    );
    expect(output(text)).toMatchObject([
      {
        type: 'message',
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'refusal', refusal: 'b' },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'pay', arguments: '{}', status: 'completed' },
      { type: 'message', content: [{ text: 'c' }] },
    ]);
    expect(responsesFaults(text)).toEqual([]);
  });

  it('a message ends where thoughts begin that are not shown yet', () => {
    const thought = begin(1, { type: 'reasoning', isSummary: true });
    const text = encode(begin(0, TEXT), thought, stop(0), ...ended('stop'));
    expect(output(text)).toMatchObject([{ type: 'message' }, { type: 'reasoning' }]);
    expect(responsesFaults(text)).toEqual([]);
  });

  it('calls that overlap keep their pieces apart, and equal ids', () => {
    const text = encode(
      begin(0, CALL),
      begin(1, CALL),
      say(1, '{"b":'),
      say(0, '{}'),
      say(1, '2}'),
      ...ended('tool_calls'),
    );
    expect(output(text)).toMatchObject([
      { arguments: '{}', call_id: 'call_1' },
      { arguments: '{"b":2}', call_id: 'call_new' },
    ]);
    expect(responsesFaults(text)).toEqual([]);
  });

  it.each<[string, AnswerEvent[], object]>([
    [
      'before its words',
      [
        {
          type: 'state',
          block: 0,
          state: { issuer: 'openai-responses', value: '{"id":"rs_1","encrypted_content":"z"}' },
        },
        say(0, 's', 0),
      ],
      { id: 'rs_1', encrypted_content: 'z' },
    ],
    [
      'behind them, where the id is told already',
      [
        say(0, 's', 0),
        {
          type: 'state',
          block: 0,
          state: { issuer: 'openai-responses', value: '{"id":"rs_1","encrypted_content":"z"}' },
        },
      ],
      { id: 'rs_new', encrypted_content: '{"id":"rs_1","encrypted_content":"z"}' },
    ],
    [
      'of another form',
      [say(0, 's', 0), { type: 'state', block: 0, state: { issuer: 'openai-responses', value: 'opaque' } }],
      { id: 'rs_new', encrypted_content: 'opaque' },
    ],
  ])('a seal %s', (_name, events, members) => {
    const text = encode(begin(0, { type: 'reasoning', isSummary: true }), ...events, stop(0), ...ended('stop'));
    expect(output(text)).toEqual([{ type: 'reasoning', summary: [{ type: 'summary_text', text: 's' }], ...members }]);
    expect(responsesFaults(text)).toEqual([]);
  });

  it('a state of another issuer is not told', () => {
    const text = encode(
      begin(0, { type: 'reasoning', isSummary: false }),
      say(0, 't'),
      { type: 'state', block: 0, state: { issuer: 'gemini', value: 'g' } },
      ...ended('stop'),
    );
    expect(output(text)).toEqual([
      { id: 'rs_new', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 't' }] },
    ]);
  });

  it.each([
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['content_filter', 'incomplete', { reason: 'content_filter' }],
    ['refusal', 'incomplete', { reason: 'content_filter' }],
    ['error', 'failed', null],
    ['unknown', 'completed', null],
  ])('a finish of %s', (reason, status, details) => {
    const text = encode(begin(0, CALL), say(0, '{"n'), ...ended(reason));
    expect(payloads(text).at(-1)).toMatchObject({
      type: `response.${status}`,
      response: { status, incomplete_details: details },
    });
    expect(output(text)).toMatchObject([{ arguments: '{"n', status: status === 'completed' ? status : 'incomplete' }]);
    expect(responsesFaults(text)).toEqual([]);
  });

  it('a call that was cut before its arguments has none', () => {
    expect(output(encode(begin(0, CALL), ...ended('length')))).toMatchObject([{ arguments: '', status: 'incomplete' }]);
  });

  it('a refusal in words is an answer', () => {
    const text = encode(begin(0, { type: 'refusal' }), say(0, 'no'), ...ended('refusal'));
    expect(types(text).at(-1)).toBe('completed');
  });

  it('one event has a text and its log probabilities', () => {
    const encoder = translation.createAnswerEncoder(OPTIONS);
    const text = decodeUtf8(
      encoder.push([begin(0, TEXT), say(0, 'a'), { type: 'logprobs', choice: 0, content: [{ token: 'a' }] }]),
    );
    const deltas = payloads(text).filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas).toMatchObject([{ delta: 'a', logprobs: [{ token: 'a' }] }]);
  });

  it.each([
    [{ inputTokens: null, outputTokens: null, cachedTokens: 4 }, null],
    [
      { inputTokens: 5, outputTokens: 3 },
      { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
    ],
    [
      { inputTokens: 5, outputTokens: 3, cachedTokens: 4, reasoningTokens: 2, cacheWriteTokens: 1 },
      {
        input_tokens: 5,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 8,
      },
    ],
  ])('usage %j', (known, expected) => {
    const none = {
      inputTokens: null,
      outputTokens: null,
      reasoningTokens: null,
      cachedTokens: null,
      cacheWriteTokens: null,
    };
    const usage = { ...none, ...known, source: 'reported' } as const;
    const body = translation.writeAnswer([{ type: 'usage', usage }, ...ended('stop')], OPTIONS);
    expect((JSON.parse(decodeUtf8(body)) as { usage: unknown }).usage).toEqual(expected);
  });
});
