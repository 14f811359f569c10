import { describe, expect, it } from 'vitest';
import { run, STOP, said, start, stop } from '../../../test/kit/messages-stream.ts';
import type { Frame } from '../../core/model/event.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { responseFromStream, streamFromResponse } from './convert.ts';
import { decodeResponse } from './response.ts';

type Json = Record<string, unknown>;

const TEXT = { type: 'text', text: 'x' };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'f', input: { p: 1 } };
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [TEXT],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 3 },
};

function decode(body: unknown, renameModel: string | null = null) {
  const bytes = encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body));
  const { events, ...rest } = decodeResponse(bytes, { renameModel });
  return {
    ...rest,
    events,
    types: events.map((event) => (event.type === 'finish' ? `finish:${event.reason}` : event.type)),
    text: decodeUtf8(rest.body),
  };
}

describe('a JSON answer', () => {
  it('passes as it is', () => {
    const text = JSON.stringify(MESSAGE, null, 2);
    const decoded = decode(text);
    expect(decoded.text).toBe(text);
    expect(decoded.types).toEqual(['text', 'finish:stop']);
    expect(decoded.usage).toMatchObject({ inputTokens: 7, cachedTokens: 2, outputTokens: 3 });
    expect(decoded.edits).toEqual([]);
  });

  it.each<[Json, string[]]>([
    [{ content: [], stop_reason: 'end_turn' }, ['finish:stop']],
    [{ content: [], stop_reason: 'refusal' }, ['finish:refusal']],
    [{ content: [], stop_reason: 'max_tokens' }, ['finish:length']],
    [{ content: [], stop_reason: null }, ['empty_delta']],
    [{ content: [{ type: 'thinking', thinking: 't', signature: 'S' }, TEXT] }, ['reasoning', 'text', 'finish:stop']],
    [{ content: [{ type: 'redacted_thinking', data: 'R' }] }, ['reasoning_opaque', 'finish:stop']],
    [{ content: [{ type: 'text', text: ' ' }] }, ['blank_text', 'finish:stop']],
    [{ content: [CALL], stop_reason: 'tool_use' }, ['tool_call', 'finish:tool_calls']],
    [{ content: 'text' }, []],
    [{ content: null }, []],
  ])('%j', (members, types) => {
    expect(decode({ ...MESSAGE, ...members }).types).toEqual(types);
  });

  it.each([
    '{"type":"error","error":{"type":"overloaded_error","message":"busy"}}',
    '{"error":{"type":"overloaded_error","message":"busy"}}',
    '[{"error":{"type":"overloaded_error","message":"busy"}}]',
    '{"type":"overloaded_error","message":"busy"}',
  ])('an error in the dress of a success: %s', (body) => {
    expect(decode(body).events).toMatchObject([
      { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
    ]);
  });

  it.each(['', '{"type":"mess', '"x"', '[]', '[1,2]', 'null', `[${JSON.stringify(MESSAGE)}]`])(
    'no answer: %s',
    (body) => {
      expect(decode(body).types).toEqual(['malformed']);
    },
  );

  it('is mended as a stream is', () => {
    const calls = { ...MESSAGE, content: [CALL, { ...CALL, name: 'g', input: '{"q":12345678901234567890}' }] };
    const { text, edits, types } = decode(calls);
    expect(types).toEqual(['tool_call', 'tool_call', 'finish:tool_calls']);
    expect(new Set(edits)).toEqual(new Set(['tool_id_mended', 'tool_arguments_mended', 'finish_reason_mended']));
    const { content, stop_reason } = JSON.parse(text) as { content: { id: string }[]; stop_reason: string };
    expect(stop_reason).toBe('tool_use');
    expect(content[0]?.id).toBe('toolu_1');
    expect(content[1]?.id).toMatch(/^toolu_[0-9a-f]{16}$/);
    expect(text).toContain('"input":{"q":12345678901234567890}');
    const open = decode({ ...MESSAGE, stop_reason: null });
    expect(open.types).toEqual(['text', 'finish:stop']);
    expect(open.edits).toEqual(['finish_reason_added']);
    expect(JSON.parse(open.text)).toEqual(MESSAGE);
    expect(decode(MESSAGE, 'main').text).toContain('"model":"main"');
  });
});

const textOf = (frames: readonly Frame[]): string => frames.map(({ bytes }) => decodeUtf8(bytes)).join('');

describe('the same answer in the other form', () => {
  const RICH = {
    ...MESSAGE,
    content: [
      { type: 'thinking', thinking: 't\u2028\n', signature: 'S+/==' },
      { type: 'redacted_thinking', data: 'R==' },
      { type: 'text', text: 'x', citations: [{ type: 'char_location', cited_text: 'c' }, { n: 2 }] },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'u' }] },
      { ...CALL, caller: { type: 'direct' } },
      { type: 'tool_use', id: 'toolu_2', name: 'none', input: {} },
      { type: 'text', text: '' },
      { type: 'novel', poem: ['p'] },
    ],
    stop_reason: 'tool_use',
    container: { id: 'c' },
  };

  it('comes back from a stream as it went into one', () => {
    const frames = streamFromResponse(encodeUtf8(JSON.stringify(RICH, null, 2)), {
      usageAsked: true,
      renameModel: null,
    });
    const bytes = textOf(frames);
    const read = run(bytes);
    expect(read.text).toBe(bytes);
    expect(read.edits).toEqual([]);
    expect(read.types.at(-1)).toBe('done');
    expect(bytes).not.toContain('"type":"text_delta","text":""');
    expect(read.types).toContain('finish:tool_calls');
    expect(read.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    expect(JSON.parse(decodeUtf8(responseFromStream(frames.map((frame) => frame.bytes))))).toEqual(RICH);
    expect(
      frames.flatMap(({ events }) => events.map(({ type }) => type)).filter((type) => type === 'tool_end'),
    ).toHaveLength(2);
    expect(frames.every(({ edits }) => edits.includes('converted_to_stream'))).toBe(true);
  });

  it('keeps numbers as they were written, both ways', () => {
    const body = JSON.stringify(MESSAGE).replace(
      JSON.stringify(TEXT),
      '{"type":"tool_use","id":"t","name":"f","input":{"n":12345678901234567890,"e":1e400}}',
    );
    const frames = streamFromResponse(encodeUtf8(body), { usageAsked: true, renameModel: null });
    const back = decodeUtf8(responseFromStream(frames.map(({ bytes }) => bytes)));
    expect(back).toContain('"input":{"n":12345678901234567890,"e":1e400}');
  });

  it('is put together from a stream, with the last word on usage', () => {
    const stream = start({ input_tokens: 5, output_tokens: 1 }) + said('x') + said('y', 1) + stop() + STOP;
    expect(JSON.parse(decodeUtf8(responseFromStream([encodeUtf8(stream)])))).toEqual({
      ...MESSAGE,
      content: [TEXT, { type: 'text', text: 'y' }],
      usage: { input_tokens: 5, output_tokens: 3 },
    });
  });

  it('survives what is no answer', () => {
    expect(JSON.parse(decodeUtf8(responseFromStream([encodeUtf8('data: {"x\n\ndata: []\n\n: c\n\n')])))).toMatchObject({
      type: 'message',
      content: [],
    });
    const frames = streamFromResponse(encodeUtf8('{"x'), { usageAsked: true, renameModel: null });
    expect(frames).toMatchObject([{ events: [{ type: 'malformed' }] }]);
  });
});
