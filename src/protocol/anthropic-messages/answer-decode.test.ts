import { describe, expect, it } from 'vitest';
import { close, delta, event, open, STOP, said, start, stop, text } from '../../../test/kit/messages-stream.ts';
import type { AnswerEvent } from '../../core/model/answer.ts';
import { encodeUtf8 } from '../json/index.ts';
import { createAnswerDecoder, readAnswer } from './answer-decode.ts';

function decode(...frames: readonly string[]): readonly AnswerEvent[] {
  const decoder = createAnswerDecoder();
  return [...frames.flatMap((frame) => decoder.push(encodeUtf8(frame))), ...decoder.end()];
}

/** Without start, usage and end, in short. */
const told = (...frames: readonly string[]): readonly unknown[] =>
  decode(...frames).flatMap((each): readonly unknown[] => {
    if (each.type === 'block_start') return [each.content];
    if (each.type === 'delta') return [each.text];
    if (each.type === 'state') return [each.state.value];
    if (each.type === 'finish') return [`${each.reason} ${each.raw}`];
    return each.type === 'block_end' ? ['.'] : [];
  });

const fed = (partial_json: unknown, index: unknown = 0): string =>
  delta({ type: 'input_json_delta', partial_json }, index);
const TOOL = { type: 'tool_use', id: 't', name: 'f', input: {} };
const CALL = { type: 'tool_call', kind: 'function', id: 't', name: 'f' };

describe('a stream', () => {
  it('tells of its start, its usage and its end', () => {
    const usage = { input_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 };
    const final = { output_tokens: 7, output_tokens_details: { thinking_tokens: 4 } };
    const events = decode(start({ ...usage, service_tier: 'standard' }), said('a'), stop('stop_sequence', final), STOP);
    expect(events[0]).toEqual({ type: 'start', id: 'msg_1', model: 'm', createdAt: null, serviceTier: 'default' });
    expect(events.findLast(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      usage: {
        inputTokens: 10,
        outputTokens: 7,
        reasoningTokens: 4,
        cachedTokens: 3,
        cacheWriteTokens: 2,
        source: 'reported',
      },
    });
    expect(events.slice(-2)).toEqual([
      { type: 'finish', choice: 0, reason: 'stop', raw: 'stop_sequence' },
      { type: 'end' },
    ]);
  });

  it('takes no count of zero for a count of the prompt, nor a placeholder for one of the answer', () => {
    const usages = decode(start({ input_tokens: 0, output_tokens: 1 }), said('a'), stop('end_turn', null), STOP);
    expect(usages.filter(({ type }) => type === 'usage')).toEqual([]);
  });

  it.each<[string, readonly string[], readonly unknown[]]>([
    ['input in pieces', [open(TOOL), fed('{"a"'), fed(':1}'), close()], [CALL, '{"a"', ':1}', '.']],
    ['input in the start', [open({ ...TOOL, input: { a: 1 } }), close()], [CALL, '{"a":1}', '.']],
    ['input in both', [open({ ...TOOL, input: { a: 1 } }), fed('{"a":1}'), close()], [CALL, '{"a":1}', '.']],
    ['no input', [open(TOOL), close()], [CALL, '{}', '.']],
    ['input as an object', [open(TOOL), fed({ a: 1 }), close()], [CALL, '{"a":1}', '.']],
    ['no indices', [open(TOOL, undefined), fed('{}', undefined), event('content_block_stop')], [CALL, '{}', '.']],
    [
      'one index for all',
      [open(TOOL), fed('{}'), open({ ...TOOL, id: 'u' }), fed('{ }'), close()],
      [CALL, '{}', '.', { ...CALL, id: 'u' }, '{ }', '.'],
    ],
    ['text in the start', [open({ type: 'text', text: 'a' }), text('b'), close()], [{ type: 'text' }, 'a', 'b', '.']],
    ['no start', [text('a'), text('b')], [{ type: 'text' }, 'a', 'b', '.']],
    [
      'a signature in pieces, behind the thoughts',
      [
        open({ type: 'thinking', thinking: '', signature: '' }),
        delta({ type: 'thinking_delta', thinking: 'a' }),
        delta({ type: 'signature_delta', signature: 'S' }),
        delta({ type: 'signature_delta', signature: 'T' }),
        close(),
      ],
      [{ type: 'reasoning', isSummary: false }, 'a', 'ST', '.'],
    ],
    [
      'data in cipher',
      [open({ type: 'redacted_thinking', data: 'D' }), close()],
      [{ type: 'reasoning', isSummary: false }, 'redacted_thinking:D', '.'],
    ],
    [
      'a tool of the provider, whole',
      [open({ type: 'server_tool_use', id: 's', name: 'w', input: {} }), fed('{"q":'), fed('1}'), close()],
      [
        {
          type: 'native',
          protocol: 'anthropic-messages',
          what: 'server_tool_use',
          value: { type: 'server_tool_use', id: 's', name: 'w', input: { q: 1 } },
        },
        '.',
      ],
    ],
    [
      'what nobody knows, with what its deltas add',
      [open({ type: 'compaction', content: null }), delta({ type: 'compaction_delta', content: 'c' }), close()],
      [
        {
          type: 'native',
          protocol: 'anthropic-messages',
          what: 'compaction',
          value: { type: 'compaction', content: 'c' },
        },
        '.',
      ],
    ],
    ['a delta of another kind', [open(TOOL), text('a'), fed('{}'), close()], [CALL, '{}', '.']],
  ])('holds %s', (_what, frames, expected) => {
    const whole = [start(), ...frames, stop('novel'), STOP];
    expect(told(...whole)).toEqual([...expected, 'unknown novel']);
    expect(told(whole.join(''))).toEqual([...expected, 'unknown novel']);
  });

  it.each<[string, readonly string[], string]>([
    ['a plain end behind a call', [open(TOOL), close(), stop('end_turn')], 'tool_calls end_turn'],
    ['no reason behind a call', [open(TOOL), close()], 'tool_calls null'],
    ['no reason', [said('a')], 'stop null'],
    ['two reasons', [stop('refusal'), stop('end_turn')], 'refusal refusal'],
    [
      'the limit of the window',
      [said('a'), stop('model_context_window_exceeded')],
      'length model_context_window_exceeded',
    ],
  ])('ends with %s', (_what, frames, expected) => {
    expect(told(start(), ...frames, STOP).at(-1)).toBe(expected);
  });

  it('says nothing of pings, comments and noise', () => {
    expect(decode(event('ping'), ': c\n\n', 'data: [DONE]\n\n', 'data: {"a"\n\n').map(({ type }) => type)).toEqual([
      'start',
      'finish',
      'end',
    ]);
  });
});

describe('a JSON answer', () => {
  it('is the same list, with one piece for each block', () => {
    const body = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 't', signature: 'S' },
        {
          type: 'text',
          text: 'a',
          citations: [
            { type: 'web_search_result_location', url: 'u', title: 't', cited_text: 'c', encrypted_index: '' },
          ],
        },
        { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 3 },
    };
    const events = readAnswer(encodeUtf8(JSON.stringify(body)));
    expect(events.map(({ type }) => type).join(' ')).toBe(
      'start block_start delta state block_end block_start delta citation block_end block_start delta block_end usage finish end',
    );
    expect(events.find(({ type }) => type === 'citation')).toMatchObject({ citation: { url: 'u', source: null } });
  });

  it('keeps numbers that no double holds', () => {
    const events = readAnswer(
      encodeUtf8('{"content":[{"type":"tool_use","id":"t","name":"f","input":{"n":12345678901234567890}}]}'),
    );
    expect(events.find(({ type }) => type === 'delta')).toMatchObject({ text: '{"n":12345678901234567890}' });
  });
});
