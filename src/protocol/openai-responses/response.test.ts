import { describe, expect, it } from 'vitest';
import {
  CREATED,
  call,
  completed,
  delta,
  done,
  event,
  message,
  OPENED,
  payloads,
  read,
  run,
  USAGE,
} from '../../../test/kit/responses-stream.ts';
import type { Frame } from '../../core/model/event.ts';
import { judgeWhole } from '../../core/stream/judge.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import { responseFromStream, streamFromResponse } from './convert.ts';
import { decodeResponse } from './response.ts';

const POLICY = {
  commitOn: 'output',
  onContentPolicy: 'stop',
  holdToolEnd: true,
  preflight: { maxBytes: 1 << 22, maxEvents: 4096, maxJson: 1 << 25 },
  acceptEmpty: false,
} as const;

const answer = (members: object): string =>
  JSON.stringify({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'm',
    error: null,
    incomplete_details: null,
    output: [],
    ...members,
  });

function decode(
  body: string,
  options: { renameModel?: string; background?: boolean } = {},
): ReturnType<typeof decodeResponse> & { types: string[]; outcome: string } {
  const decoded = decodeResponse(encodeUtf8(body), { renameModel: null, ...options });
  const judged = judgeWhole(decoded.events, decoded.usage, POLICY);
  const types = decoded.events.map((each) => (each.type === 'finish' ? `finish:${each.reason}` : each.type));
  const outcome = judged.isAnswer
    ? judged.outcome
    : judged.cause.kind === 'fault'
      ? judged.cause.fault
      : judged.cause.kind;
  return { ...decoded, types, outcome };
}

describe('decodeResponse', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] };

  it.each<[string, string[], string]>([
    [answer({ output: [message('x')] }), ['text', 'finish:stop'], 'ok'],
    [answer({ output: [reasoning, call()] }), ['reasoning_open', 'tool_call', 'finish:tool_calls'], 'ok'],
    [answer({ output: [message('x')], status: undefined }), ['text', 'finish:stop'], 'ok'],
    [answer({ output: [] }), ['finish:stop'], 'no_output'],
    [answer({ output: undefined }), ['finish:stop'], 'no_output'],
    [answer({ output: [message(' ')] }), ['blank_text', 'finish:stop'], 'no_output'],
    [
      answer({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [reasoning] }),
      ['reasoning_open', 'finish:length'],
      'ok_truncated',
    ],
    [
      answer({ status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [message('x')] }),
      ['text', 'finish:content_filter'],
      'ok_filtered',
    ],
    [answer({ status: 'incomplete', output: [message('x')] }), ['text', 'error'], 'error_event'],
    [answer({ status: 'failed', error: { code: 'server_error', message: 'm' } }), ['error'], 'error_event'],
    [answer({ status: 'failed' }), ['error'], 'error_event'],
    [answer({ status: 'cancelled' }), ['error'], 'error_event'],
    [answer({ status: 'queued' }), ['cut'], 'incomplete'],
    [answer({ status: 'in_progress', output: [message('x')] }), ['text', 'cut'], 'incomplete'],
    [
      '{"id":"resp_B","object":"response.compaction","output":[{"type":"compaction","encrypted_content":"E"}]}',
      ['reasoning_opaque', 'unknown_content'],
      'ok',
    ],
    ['{"error":{"message":"m"}}', ['error'], 'error_event'],
    ['[{"error":{"message":"m","code":"c"}}]', ['error'], 'error_event'],
    ['{"detail":"gone"}', ['error'], 'error_event'],
    ['{"choices":[]}', [], 'no_answer'],
    ['{}', [], 'no_answer'],
    ['[]', ['malformed'], 'malformed'],
    ['{"id":"resp', ['malformed'], 'malformed'],
  ])('%s', (body, types, outcome) => {
    const seen = decode(body);
    expect([seen.types, seen.outcome]).toEqual([types, outcome]);
  });

  it('takes a receipt where work in the background was asked for', () => {
    expect(decode(answer({ status: 'queued' }), { background: true }).outcome).toBe('ok');
    expect(decode(answer({ status: 'in_progress' }), { background: true }).outcome).toBe('ok');
    expect(decode(answer({ status: 'failed' }), { background: true }).outcome).toBe('error_event');
  });

  it('reads usage and id, and leaves the bytes alone', () => {
    const body = answer({
      output: [message('x')],
      usage: { ...USAGE, input_tokens_details: { cached_tokens: 4 }, output_tokens_details: { reasoning_tokens: 2 } },
      seed: 1,
    });
    const seen = decode(body);
    expect(seen.usage).toEqual({
      inputTokens: 5,
      outputTokens: 3,
      reasoningTokens: 2,
      cachedTokens: 4,
      cacheWriteTokens: null,
      source: 'reported',
    });
    expect([seen.answerId, decodeUtf8(seen.body), seen.edits]).toEqual(['resp_1', body, []]);
  });

  it('mends calls and renames the model', () => {
    const { body, edits } = decode(answer({ output: [call('', { call_id: '', arguments: { n: 1 } })] }), {
      renameModel: 'main',
    });
    expect(JSON.parse(decodeUtf8(body))).toMatchObject({
      model: 'main',
      output: [{ call_id: 'fc_1', arguments: '{"n":1}' }],
    });
    expect(edits).toEqual(['tool_arguments_mended', 'tool_id_mended', 'model_renamed']);
  });
});

const textOf = (frames: readonly Frame[]): string => frames.map(({ bytes }) => decodeUtf8(bytes)).join('');

describe('streamFromResponse', () => {
  const items = [
    { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'E' },
    {
      ...message('Hello\nyou'),
      content: [
        { type: 'output_text', text: 'Hello\nyou', annotations: [{ type: 'url_citation' }] },
        { type: 'refusal', refusal: 'no' },
      ],
    },
    call(),
    { type: 'custom_tool_call', id: 'ct_1', call_id: 'c2', name: 'patch', input: '*' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } },
  ];
  const body = answer({ output: items, usage: USAGE, seed: 7 }).replace('"seed":7', '"seed": 9007199254740993');

  it('tells the whole answer in numbered events', () => {
    const frames = streamFromResponse(encodeUtf8(body), { usageAsked: true, renameModel: null });
    const text = textOf(frames);
    const events = payloads(text) as { type: string; sequence_number: number }[];
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
    expect(frames.slice(0, -1).map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i));
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual(events.map(({ type }) => type));
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.annotation.added',
      'output_text.done',
      'content_part.done',
      'content_part.added',
      'refusal.delta',
      'refusal.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'custom_tool_call_input.delta',
      'custom_tool_call_input.done',
      'output_item.done',
      'output_item.added',
      'output_item.done',
      'completed',
    ]);
    expect(text).toContain('9007199254740993');
  });

  it('is read by the decoder as the answer that it was, and turns back into it', () => {
    const frames = streamFromResponse(encodeUtf8(body), { usageAsked: true, renameModel: null });
    const seen = run(textOf(frames));
    expect(seen.text).toBe(textOf(frames));
    expect(seen.types.filter((type) => type.startsWith('finish') || type === 'tool_end')).toEqual([
      'tool_end',
      'tool_end',
      'finish:tool_calls',
    ]);
    expect(decodeUtf8(responseFromStream(frames.map(({ bytes }) => bytes)))).toBe(body);
    expect(read(frames).types.slice(-3)).toEqual(['usage', 'finish:tool_calls', 'done']);
  });

  it('ends by its status, on one line each, with the name that was asked for', () => {
    const cut = JSON.stringify(
      JSON.parse(
        answer({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [message('x')] }),
      ),
      null,
      2,
    );
    const text = textOf(streamFromResponse(encodeUtf8(cut), { usageAsked: true, renameModel: 'main' }));
    expect(text).toContain('event: response.incomplete');
    expect(payloads(text)).toHaveLength([...text.matchAll(/^event: /gm)].length);
    expect(payloads(text).at(0)).toMatchObject({
      response: { model: 'main', status: 'in_progress', output: [], incomplete_details: null },
    });
    expect(payloads(text).at(-1)).toMatchObject({ response: { model: 'main', status: 'incomplete' } });
  });
});

describe('responseFromStream', () => {
  const collect = (...frames: string[]): Record<string, unknown> =>
    JSON.parse(decodeUtf8(responseFromStream(frames.map(encodeUtf8))));

  it('is the response of the last event', () => {
    expect(collect(CREATED, OPENED, delta('x'), completed([message('x')]))).toMatchObject({
      status: 'completed',
      output: [message('x')],
      usage: USAGE,
    });
  });

  it('takes items where the last event shows none', () => {
    const second = message('y', 'msg_2');
    expect(collect(CREATED, done(second, 1), done(message('x')), completed([]))['output']).toEqual([
      message('x'),
      second,
    ]);
    const bare = event('response.completed', { response: { id: 'resp_1', status: 'completed' } });
    expect(collect(done(message('x')), bare)).toEqual({ id: 'resp_1', status: 'completed', output: [message('x')] });
  });

  it('puts items together of which only pieces came', () => {
    const args = event('response.function_call_arguments.delta', { output_index: 1, delta: '{"n":' });
    const rest = event('response.function_call_arguments.delta', { output_index: 1, delta: '1}' });
    const opened = event('response.output_item.added', { output_index: 1, item: call('') });
    expect(collect(OPENED, delta('Hel'), delta('lo'), opened, args, rest, completed([]))['output']).toEqual([
      message('Hello'),
      call('{"n":1}'),
    ]);
  });
});
