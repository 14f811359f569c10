import { describe, expect, it } from 'vitest';
import { STOP as CHAT_STOP, call, delta as chatDelta, chunk, DONE } from '../../../test/kit/chat-stream.ts';
import * as gemini from '../../../test/kit/gemini-stream.ts';
import * as messages from '../../../test/kit/messages-stream.ts';
import * as responses from '../../../test/kit/responses-stream.ts';
import { clientError } from '../../core/failure/answer.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import { CODECS } from '../../protocol/index.ts';
import { decodeUtf8 } from '../../protocol/json/index.ts';
import { readView } from './read-view.ts';

const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

const streamed = (protocol: Protocol, ...frames: readonly string[]) =>
  readView(protocol, true, { status: 200, headers: EVENT_STREAM, text: frames.join(''), ending: 'end' });

const whole = (protocol: Protocol, body: object) =>
  readView(protocol, false, {
    status: 200,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify(body),
    ending: 'end',
  });

const chat = (...frames: readonly string[]) => streamed('openai-chat', ...frames);
const said = (...frames: readonly string[]) => streamed('anthropic-messages', ...frames);
const answered = (...frames: readonly string[]) => streamed('openai-responses', ...frames);

const SAID_ERROR = { message: 'm', type: 'server_error', code: 'c', understudy: { request_id: 'r' } };

const ROLE = chatDelta({ role: 'assistant', content: '' });
const CALL = call({ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":' } });
const CALL_END = call({ index: 0, function: { arguments: '1}' } });
const TOOL_STOP = chatDelta({}, 'tool_calls');

describe('Chat', () => {
  it('is text, reasoning, usage and an end', () => {
    const usage = chunk({ usage: { prompt_tokens: 5, completion_tokens: 3 } });
    const frames = [
      ROLE,
      chatDelta({ reasoning_content: 'why ' }),
      chatDelta({ content: 'a ' }),
      chatDelta({ content: 'b' }),
    ];
    expect(chat(': keepalive\n\n', ...frames, CHAT_STOP, usage, DONE)).toEqual({
      status: 200,
      text: 'a b',
      reasoning: 'why ',
      tools: [],
      usage: { inputTokens: 5, outputTokens: 3 },
      finish: 'stop',
      isWhole: true,
      error: null,
      saysMoreBehindEnd: false,
      faults: [],
      retryAfterMs: null,
      shouldRetry: null,
    });
  });

  it('has complete tool calls from the finish reason on', () => {
    expect(chat(ROLE, CALL, CALL_END).tools).toEqual([{ id: 'call_1', name: 'f', args: '{"a":1}', isComplete: false }]);
    expect(chat(ROLE, CALL, CALL_END, TOOL_STOP).tools[0]?.isComplete).toBe(true);
    expect(chat(ROLE, CALL, TOOL_STOP).faults).toEqual(['arguments of a complete tool call that do not parse']);
  });

  it('is not whole without both of its ends', () => {
    expect(chat(ROLE, CHAT_STOP).isWhole).toBe(false);
    expect(chat(ROLE, chatDelta({ content: 'a' }), DONE)).toMatchObject({ isWhole: false, finish: null });
  });

  it('ends with an error', () => {
    const error = `data: ${JSON.stringify({ error: SAID_ERROR })}\n\n`;
    expect(chat(ROLE, error)).toMatchObject({ isWhole: false, error: { code: 'c', type: 'server_error' }, faults: [] });
    expect(chat(ROLE, error, DONE)).toMatchObject({ isWhole: false, saysMoreBehindEnd: true });
    expect(chat(ROLE, CHAT_STOP, DONE, ROLE).saysMoreBehindEnd).toBe(true);
  });

  it.each([
    ['a cut frame', 'data: {"choices":[', 'a frame that is not whole'],
    ['words in place of JSON', 'data: keep-alive\n\n', 'data that is no JSON object'],
    ['a web page', '<!doctype html>\n\n', 'a line that is none of an event stream'],
    ['another choice', chatDelta({ content: 'x' }, null, 1), 'a choice that nobody asked for'],
    ['no choices', 'data: {}\n\n', 'a chunk without choices'],
    ['a call without id', call({ index: 0, function: { name: 'f' } }), 'a tool call without id or name'],
    ['a call out of order', call({ index: 3, id: 'i', function: { name: 'f' } }), 'a tool call out of order'],
    ['a strange finish', chatDelta({}, 'sideways'), 'a finish reason that no client knows'],
    ['output behind the finish', CHAT_STOP + chatDelta({ content: 'x' }), 'output behind the finish reason'],
    ['a call that is denied', CALL + CALL_END + CHAT_STOP, 'a finish reason that denies a tool call'],
    ['another id', CALL + call({ index: 0, id: 'call_2', function: {} }), 'a tool call that changes its id'],
  ])('finds %s', (_what, frame, fault) => expect(chat(ROLE, frame).faults).toContain(fault));

  it('may have lines that end in any way', () => {
    const text = [ROLE, chatDelta({ content: 'a' }), CHAT_STOP, DONE].join('');
    for (const end of ['\r\n', '\r'])
      expect(chat(`\uFEFF${text.replaceAll('\n', end)}`)).toMatchObject({ text: 'a', isWhole: true, faults: [] });
  });

  it('may come as JSON', () => {
    const message = {
      role: 'assistant',
      content: 'a',
      tool_calls: [{ id: 'i', function: { name: 'f', arguments: '{}' } }],
    };
    const body = {
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    };
    expect(whole('openai-chat', body)).toMatchObject({ text: 'a', finish: 'tool', isWhole: true, faults: [] });
    expect(whole('openai-chat', body).tools).toEqual([{ id: 'i', name: 'f', args: '{}', isComplete: true }]);
    expect(whole('openai-chat', {}).faults).toContain('an answer without a message');
  });
});

describe('Messages', () => {
  const frames = [
    messages.start(),
    messages.PING,
    messages.said('a b'),
    messages.called(1),
    messages.stop('tool_use'),
    messages.STOP,
  ];

  it('is text, tool calls, usage and an end', () => {
    expect(said(messages.PING, ...frames)).toMatchObject({
      text: 'a b',
      tools: [{ id: 'toolu_1', name: 'f', args: '{"p":1}', isComplete: true }],
      usage: { inputTokens: 5, outputTokens: 3 },
      finish: 'tool',
      isWhole: true,
      faults: [],
    });
    expect(said(...frames.slice(0, -1)).isWhole).toBe(false);
  });

  it.each([
    ['a block before the message', [messages.said('a')], 'an event before message_start'],
    ['a second beginning', [messages.start(), messages.start()], 'two beginnings'],
    ['a block out of order', [messages.start(), messages.said('a', 2)], 'a block out of order'],
    ['a delta of no block', [messages.start(), messages.text('a')], 'an event of a block that is not open'],
    [
      'a delta of another kind',
      [messages.start(), messages.open(messages.TOOL), messages.text('a')],
      'a delta that does not fit its block',
    ],
    [
      'an end too early',
      [messages.start(), messages.open(messages.TEXT), messages.stop()],
      'an end while a block is open',
    ],
    [
      'two blocks at once',
      [messages.start(), messages.open(messages.TEXT), messages.open(messages.TEXT, 1)],
      'a block while another is open',
    ],
    [
      'another name',
      [messages.start(), 'event: ping\ndata: {"type":"message_stop"}\n\n'],
      'an event that bears another name than its data',
    ],
  ])('finds %s', (_what, given, fault) => expect(said(...given).faults).toContain(fault));

  it('may come as JSON', () => {
    const content = [
      { type: 'thinking', thinking: 't' },
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 'i', name: 'f', input: { p: 1 } },
    ];
    const body = { type: 'message', content, stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 2 } };
    expect(whole('anthropic-messages', body)).toMatchObject({
      text: 'a',
      reasoning: 't',
      finish: 'tool',
      isWhole: true,
      faults: [],
    });
  });
});

describe('Responses', () => {
  const frames = [
    responses.CREATED,
    responses.OPENED,
    responses.delta('a '),
    responses.delta('b'),
    responses.textDone('a b'),
    responses.done(responses.message('a b')),
    responses.added(responses.call(''), 1),
    responses.event('response.function_call_arguments.delta', { output_index: 1, delta: '{"n":1}' }),
    responses.done(responses.call(), 1),
    responses.completed([responses.message('a b'), responses.call()]),
  ];
  const numbered = responses.numbers(frames);

  it('is text, tool calls, usage and an end', () => {
    expect(answered(...numbered)).toMatchObject({
      text: 'a b',
      tools: [{ id: 'call_1', name: 'pay', args: '{"n":1}', isComplete: true }],
      usage: { inputTokens: 5, outputTokens: 3 },
      finish: 'tool',
      isWhole: true,
      faults: [],
    });
    expect(answered(...numbered.slice(0, -1))).toMatchObject({ isWhole: false, finish: null });
    expect(answered(responses.CREATED, responses.incomplete('max_output_tokens'))).toMatchObject({
      finish: 'length',
      isWhole: true,
    });
  });

  it.each([
    [
      'a number that falls',
      responses.numbers(frames.slice(0, 2), 5).toReversed(),
      'an event number that does not rise',
    ],
    [
      'another text',
      [...frames.slice(0, 4), responses.done(responses.message('a c'))],
      'a text that is not its deltas',
    ],
    [
      'another whole',
      [...frames.slice(0, 6), responses.completed([responses.message('x')])],
      'a whole text that is not what was streamed',
    ],
    [
      'other arguments',
      [...frames.slice(0, 8), responses.done(responses.call('{"n":2}'), 1)],
      'arguments that are not their deltas',
    ],
    ['a delta of no item', [responses.CREATED, responses.delta('a')], 'an event of an item that is not open'],
    [
      'an end too early',
      [...frames.slice(0, 4), responses.completed([responses.message('a b')])],
      'an end while an item is open',
    ],
  ])('finds %s', (_what, given, fault) => expect(answered(...given).faults).toContain(fault));

  it('may come as JSON', () => {
    const body = {
      object: 'response',
      id: 'r',
      status: 'completed',
      output: [responses.message('a'), responses.call()],
      usage: responses.USAGE,
    };
    expect(whole('openai-responses', body)).toMatchObject({ text: 'a', finish: 'tool', isWhole: true, faults: [] });
    expect(whole('openai-responses', { ...body, status: 'in_progress' })).toMatchObject({
      isWhole: false,
      faults: ['an answer that is not over'],
    });
  });
});

it('Responses may call a tool that takes plain text', () => {
  const item = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: '' };
  const place = { output_index: 0 };
  const frames = [
    responses.CREATED,
    responses.added(item),
    responses.event('response.custom_tool_call_input.delta', { ...place, delta: 'not {' }),
    responses.event('response.custom_tool_call_input.done', { ...place, input: 'not {' }),
    responses.done({ ...item, input: 'not {' }),
    responses.completed([{ ...item, input: 'not {' }]),
  ];
  const tool = { id: 'call_1', name: 'patch', args: 'not {', isComplete: true, isText: true };
  expect(answered(...responses.numbers(frames))).toMatchObject({ tools: [tool], isWhole: true, faults: [] });
  const other = frames.toSpliced(4, 1, responses.done({ ...item, input: '' }));
  expect(answered(...other).faults).toEqual(['arguments that are not their deltas']);
});

describe('Gemini', () => {
  const read = (...frames: readonly string[]) => streamed('gemini', ...frames);
  const frames = [gemini.thought('why '), gemini.said('a '), gemini.said('b'), gemini.call('f', { p: 1 })];

  it('is text, thoughts, calls, usage and a reason', () => {
    expect(read(': keepalive\n\n', ...frames, gemini.stop())).toMatchObject({
      text: 'a b',
      reasoning: 'why ',
      tools: [{ id: '', name: 'f', args: '{"p":1}', isComplete: true }],
      usage: { inputTokens: 5, outputTokens: 3 },
      finish: 'tool',
      isWhole: true,
      faults: [],
    });
    expect(
      read(gemini.said('a', { finishReason: 'FINISH_REASON_UNSPECIFIED' }), gemini.stop('MAX_TOKENS')),
    ).toMatchObject({
      finish: 'length',
      isWhole: true,
    });
    expect(read(gemini.said('a'), gemini.stop('OTHER'))).toMatchObject({ finish: null, isWhole: true, faults: [] });
  });

  it('is not whole without a reason, or where the body is cut', () => {
    expect(read(...frames).isWhole).toBe(false);
    const text = [...frames, gemini.stop()].join('');
    const cut = { status: 200, headers: EVENT_STREAM, text, ending: 'destroy' } as const;
    expect(readView('gemini', true, cut).isWhole).toBe(false);
  });

  it.each([
    ['output behind the end', gemini.stop() + gemini.said('x'), 'output behind the finish reason'],
    ['a strange reason', gemini.stop('SIDEWAYS'), 'a finish reason that no client knows'],
    ['another candidate', gemini.said('x', { index: 1 }), 'a choice that nobody asked for'],
    ['a call without a name', gemini.call(''), 'a tool call without a name'],
    ['arguments as text', gemini.call('f', '{}'), 'arguments that are no object'],
    ['a strange part', gemini.chunk([{ dream: {} }]), 'a part that no client knows'],
    [
      'counts that are none',
      gemini.data({ usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 9 } }),
      'counts of tokens that do not add up',
    ],
  ])('finds %s', (_what, frame, fault) => expect(read(frame).faults).toContain(fault));

  it('may come as JSON', () => {
    const parts = [{ text: 't', thought: true }, { text: 'a' }, { functionCall: { id: 'i', name: 'f', args: {} } }];
    const body = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] };
    expect(whole('gemini', body)).toMatchObject({
      text: 'a',
      reasoning: 't',
      finish: 'tool',
      isWhole: true,
      faults: [],
    });
    expect(whole('gemini', { candidates: [{ content: { parts } }] }).faults).toEqual(['an answer that is not over']);
    expect(whole('gemini', { promptFeedback: { blockReason: 'SAFETY' } })).toMatchObject({
      finish: 'filter',
      isWhole: true,
    });
  });
});

describe.each(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const)(
  'an error in %s',
  (protocol) => {
    const codec = CODECS.get(protocol);
    if (codec === undefined) throw new Error(`nobody speaks ${protocol}`);
    const where = { requestId: 'req_1', manner: null, answerId: null };

    it('tells how long to wait, in headers or in the stream', () => {
      const error = clientError('rate_limit_exceeded', { retryAfterMs: 7_000 });
      const { status, headers, body } = codec.encodeError(error, where);
      const received = { status, headers, text: decodeUtf8(body), ending: 'end' } as const;
      expect(readView(protocol, true, received)).toMatchObject({
        status: 429,
        error: {
          code: 'rate_limit_exceeded',
          type: protocol === 'gemini' ? 'RESOURCE_EXHAUSTED' : 'rate_limit_error',
        },
        retryAfterMs: 7_000,
        shouldRetry: null,
        faults: [],
      });
      expect(readView(protocol, true, { ...received, headers: { ...headers, 'retry-after': '9' } }).faults).toEqual([
        'two waits that differ',
      ]);
      expect(streamed(protocol, decodeUtf8(codec.encodeStreamError(error, where)))).toMatchObject({
        status: 200,
        isWhole: false,
        retryAfterMs: 7_000,
        faults: [],
      });
    });

    it('tells that waiting is no use', () => {
      const { status, headers, body } = codec.encodeError(clientError('upstream_error', { shouldRetry: false }), where);
      const received = { status, headers, text: decodeUtf8(body), ending: 'end' } as const;
      expect(readView(protocol, false, received)).toMatchObject({
        status: 502,
        shouldRetry: false,
        retryAfterMs: null,
        faults: [],
      });
      expect(readView(protocol, false, { ...received, status: 200 }).faults).toContain('a status that denies its body');
    });

    it('is none where nothing came, or where it was cut on purpose', () => {
      const nothing = { status: null, headers: {}, text: '', ending: null };
      expect(readView(protocol, true, nothing)).toMatchObject({
        status: null,
        isWhole: false,
        error: null,
        faults: [],
      });
      const cut = {
        status: 200,
        headers: { 'content-type': 'application/json' },
        text: '{"a":',
        ending: 'destroy',
      } as const;
      expect(readView(protocol, false, cut)).toMatchObject({ isWhole: false, faults: [] });
    });
  },
);
