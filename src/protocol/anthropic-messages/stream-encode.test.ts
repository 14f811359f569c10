import { describe, expect, it } from 'vitest';
import { messagesFaults } from '../../../test/kit/anthropic-messages-validator.ts';
import type { AnswerEvent, BlockStart } from '../../core/model/answer.ts';
import { UNKNOWN_USAGE } from '../../core/model/usage.ts';
import { concatBytes, decodeUtf8 } from '../json/index.ts';
import type { AnswerOptions } from '../translation.ts';
import { writeAnswer } from './answer-encode.ts';
import { createAnswerEncoder } from './stream-encode.ts';

type Json = Record<string, unknown>;

const OPTIONS: AnswerOptions = { model: 'named', usageAsked: false, createId: (prefix) => `${prefix}new`, now: 5 };
const START: AnswerEvent = { type: 'start', id: 'chatcmpl-1', model: 'x', createdAt: 1 };
const END: AnswerEvent = { type: 'end' };
const finish = (
  reason: Extract<AnswerEvent, { type: 'finish' }>['reason'],
  raw: string | null = null,
): AnswerEvent => ({
  type: 'finish',
  choice: 0,
  reason,
  raw,
});
const open = (block: number, content: BlockStart, choice = 0): AnswerEvent => ({
  type: 'block_start',
  block,
  choice,
  content,
});
const say = (block: number, text: string, section?: number): AnswerEvent => ({
  type: 'delta',
  block,
  text,
  ...(section === undefined ? {} : { section }),
});
const close = (block: number): AnswerEvent => ({ type: 'block_end', block });
const call = (id: string): BlockStart => ({ type: 'tool_call', kind: 'function', id, name: 'f' });
const TEXT: BlockStart = { type: 'text' };
const THOUGHT: BlockStart = { type: 'reasoning', isSummary: true };

function stream(...events: readonly AnswerEvent[]): readonly Json[] {
  const encoder = createAnswerEncoder(OPTIONS);
  const text = decodeUtf8(concatBytes(events.map((each) => encoder.push([each]))));
  expect(messagesFaults(text)).toEqual([]);
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Json] : []));
}

/** Blocks and their deltas in short. */
const blocks = (...events: readonly AnswerEvent[]): readonly string[] =>
  stream(START, ...events, finish('stop'), END).flatMap(({ type, index, content_block: block, delta }) => {
    if (type === 'content_block_start') return [`${String(index)} ${String((block as Json)['type'])}`];
    const { type: kind, ...rest } = (delta ?? {}) as Json;
    return type === 'content_block_delta' ? [`${String(kind)} ${Object.values(rest).map(String).join('')}`] : [];
  });

describe('the blocks of a stream', () => {
  it.each<[string, readonly AnswerEvent[], readonly string[]]>([
    [
      'calls beside each other come one after the other',
      [
        open(0, call('a')),
        open(1, call('b')),
        say(0, '{'),
        say(1, '{"b"'),
        say(0, '}'),
        say(1, ':1}'),
        close(0),
        close(1),
      ],
      [
        '0 tool_use',
        'input_json_delta {',
        'input_json_delta }',
        '1 tool_use',
        'input_json_delta {"b"',
        'input_json_delta :1}',
      ],
    ],
    [
      'a text that was left open does not hold up a call, and goes on behind it',
      [open(0, TEXT), say(0, 'a'), open(1, call('b')), say(1, '{}'), say(0, 'c'), close(1), close(0)],
      ['0 text', 'text_delta a', '1 tool_use', 'input_json_delta {}', '2 text', 'text_delta c'],
    ],
    [
      'thoughts in sections are parted',
      [open(0, THOUGHT), say(0, 'a', 0), say(0, 'b', 0), say(0, 'c', 1), close(0)],
      ['0 thinking', 'thinking_delta a', 'thinking_delta b', 'thinking_delta \n\nc'],
    ],
    [
      'only its own state is told, at the end',
      [
        open(0, THOUGHT),
        { type: 'state', block: 0, state: { issuer: 'openai-responses', value: 'x' } },
        close(0),
        open(1, THOUGHT),
        { type: 'state', block: 1, state: { issuer: 'anthropic-messages', value: 'S' } },
        say(1, 'a'),
        close(1),
        open(2, THOUGHT),
        { type: 'state', block: 2, state: { issuer: 'anthropic-messages', value: 'redacted_thinking:D' } },
        close(2),
      ],
      ['0 thinking', 'thinking_delta a', 'signature_delta S', '1 redacted_thinking'],
    ],
    ['what says nothing is no block', [open(0, TEXT), close(0), open(1, THOUGHT), say(1, ''), close(1)], []],
    [
      'an input that is no object is a text in one',
      [
        open(0, call('a')),
        say(0, ' '),
        say(0, '1'),
        say(0, '2'),
        close(0),
        open(1, call('b')),
        say(1, ' '),
        say(1, '{}'),
      ],
      [
        '0 tool_use',
        'input_json_delta {"input":"',
        'input_json_delta  1',
        'input_json_delta 2',
        'input_json_delta "}',
        '1 tool_use',
        'input_json_delta  {}',
      ],
    ],
    [
      'a number stands for one block',
      [open(0, TEXT), say(0, 'a'), open(0, call('b')), say(0, 'c')],
      ['0 text', 'text_delta a', 'text_delta c'],
    ],
    ['a refusal is text', [open(0, { type: 'refusal' }), say(0, 'no')], ['0 text', 'text_delta no']],
    [
      'pictures, foreign items and other choices are left out',
      [
        open(0, { type: 'image', data: 'aGk=', mediaType: 'image/png' }),
        open(1, { type: 'native', protocol: 'gemini', what: 'x', value: {} }),
        open(2, TEXT, 1),
        say(2, 'b'),
        open(3, TEXT),
        say(3, 'a'),
      ],
      ['0 text', 'text_delta a'],
    ],
    [
      'text of a custom tool is JSON here',
      [open(0, { type: 'tool_call', kind: 'custom', id: 'c', name: 'g' }), say(0, 'a"'), say(0, '\n'), close(0)],
      [
        '0 tool_use',
        'input_json_delta {"input":"',
        'input_json_delta a\\"',
        'input_json_delta \\n',
        'input_json_delta "}',
      ],
    ],
  ])('%s', (_what, events, expected) => {
    expect(blocks(...events)).toEqual(expected);
  });

  it('come as soon as they can', () => {
    const encoder = createAnswerEncoder(OPTIONS);
    encoder.push([START, open(0, TEXT), say(0, 'a')]);
    expect(decodeUtf8(encoder.push([say(0, 'b')]))).toBe(
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}\n\n',
    );
  });

  it('show a place on the web, which no provider is to get', () => {
    const citation = { url: 'https://x.test/', title: 't', citedText: null, start: 0, end: 1, source: null };
    const [, , cited] = stream(START, open(0, TEXT), { type: 'citation', block: 0, citation }, END);
    expect(cited?.['delta']).toEqual({
      type: 'citations_delta',
      citation: {
        type: 'web_search_result_location',
        url: 'https://x.test/',
        title: 't',
        cited_text: '',
        encrypted_index: '',
      },
    });
  });
});

const USAGE: AnswerEvent = {
  type: 'usage',
  usage: {
    inputTokens: 10,
    outputTokens: 7,
    reasoningTokens: 4,
    cachedTokens: 3,
    cacheWriteTokens: 2,
    source: 'reported',
  },
};

describe('the frame of a stream', () => {
  const ends = (events: readonly Json[]): unknown => events.at(-2);

  it('has an id of its own form, the name that the client knows, and usage without what was cached', () => {
    const encoder = createAnswerEncoder(OPTIONS);
    const text = decodeUtf8(encoder.push([START, USAGE, finish('length', 'length'), END]));
    const [first, last] = text
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Json] : []));
    expect(first?.['message']).toMatchObject({
      id: 'msg_new',
      model: 'named',
      usage: { input_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 0 },
    });
    expect(last).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'max_tokens', stop_sequence: null },
      usage: {
        input_tokens: 5,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 2,
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 4 },
      },
    });
  });

  it('waits for the usage that comes behind the reason', () => {
    const events = stream(START, finish('stop'), USAGE, END);
    expect(events).toHaveLength(3);
    expect(ends(events)).toMatchObject({ usage: { input_tokens: 5, output_tokens: 7 } });
  });

  it('makes no count up', () => {
    const events = stream(START, { type: 'usage', usage: UNKNOWN_USAGE }, finish('stop'), END);
    expect(ends(events)).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 0 },
    });
  });

  it.each<[AnswerEvent, string]>([
    [finish('stop', 'stop'), 'end_turn'],
    [finish('stop', 'pause_turn'), 'pause_turn'],
    [{ type: 'finish', choice: 0, reason: 'stop', raw: null, stopSequence: 'X' }, 'stop_sequence'],
    [finish('length', 'MAX_TOKENS'), 'max_tokens'],
    [finish('tool_calls', 'tool_calls'), 'tool_use'],
    [finish('content_filter', 'SAFETY'), 'refusal'],
    [finish('refusal', null), 'refusal'],
    [finish('unknown', 'NOVEL'), 'NOVEL'],
    [finish('unknown', null), 'end_turn'],
  ])('%j ends with %s', (ending, word) => {
    expect(ends(stream(START, ending, END))).toMatchObject({ delta: { stop_reason: word } });
  });

  it('does not end with another choice', () => {
    const events = stream(
      START,
      { ...finish('length'), choice: 1 } as AnswerEvent,
      open(0, TEXT),
      say(0, 'a'),
      finish('stop'),
      END,
    );
    expect(ends(events)).toMatchObject({ delta: { stop_reason: 'end_turn' } });
    expect(events).toHaveLength(6);
  });

  it('ends with its calls, whatever it was said to end with', () => {
    expect(ends(stream(START, open(0, call('a')), finish('stop', 'stop'), END))).toMatchObject({
      delta: { stop_reason: 'tool_use' },
    });
  });

  it('says nothing behind its end', () => {
    const events = stream(open(0, TEXT), say(0, 'a'), END, START, say(0, 'b'), finish('stop'), END);
    expect(events.map(({ type }) => type).at(-1)).toBe('message_stop');
    expect(events).toHaveLength(6);
  });
});

describe('a JSON answer', () => {
  it('has objects as inputs, whatever the model wrote', () => {
    const body = writeAnswer(
      [
        START,
        open(0, call('a')),
        say(0, '{"n":123456789012345'),
        say(0, '67890}'),
        open(1, call('b')),
        say(1, '{"a'),
        close(0),
        close(1),
        USAGE,
        finish('tool_calls'),
        END,
      ],
      OPTIONS,
    );
    const text = decodeUtf8(body);
    expect(text).toContain('"input":{"n":12345678901234567890}');
    expect(JSON.parse(text)).toMatchObject({
      id: 'msg_new',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'tool_use' }, { type: 'tool_use', input: { input: '{"a' } }],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 7 },
    });
  });
});
