import { describe, expect, it } from 'vitest';
import { readAddressed } from '../../../test/protocols/read-addressed.ts';
import type { AnswerEvent } from '../../core/model/answer.ts';
import type { Message } from '../../core/model/content.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { CODECS } from '../index.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { Translation } from '../translation.ts';
import type { DecoderOptions, ProtocolCodec } from '../types.ts';
import { DIALECTS } from './dialects.ts';
import { holdsEnvelope, unwrapState, wrapState } from './envelope.ts';
import { translatorOf } from './index.ts';
import { shimPrompt } from './shim-prompt.ts';
import { createToolNames } from './tool-names.ts';

const SCRIBE = { createId: (prefix: string) => `${prefix}1`, now: 0 };
const EGRESS = { model: 'up', askUsage: false, capabilities: {}, defaults: {}, withoutState: false };
const DECODER: DecoderOptions = {
  usageAsked: true,
  choices: 1,
  renameModel: null,
  onMalformed: 'fail',
  maxFrameBytes: 4096,
};

const translationOf = (protocol: Protocol): Translation => {
  const translation = CODECS.get(protocol)?.translation;
  if (translation === undefined) throw new Error(protocol);
  return translation;
};

const responses = (body: object): CanonicalRequest =>
  readAddressed('openai-responses', {
    path: '/responses',
    headers: {},
    body: [encodeUtf8(JSON.stringify({ model: 'm', input: 'Hi', ...body }))],
  });

/** What a target of that protocol gets, and what was lost on the way. */
function sent(request: CanonicalRequest, to: Protocol) {
  const codec = translatorOf(request).codec(to, SCRIBE);
  const written = codec.encodeRequest(request, EGRESS);
  return { codec, dropped: written.dropped, body: JSON.parse(decodeUtf8(concatBytes([...written.body]))) };
}

/** An answer of a provider, as a stream, in one piece. */
const streamOf = (protocol: Protocol, events: readonly AnswerEvent[]): Uint8Array =>
  translationOf(protocol)
    .createAnswerEncoder({ ...SCRIBE, model: 'up', usageAsked: true })
    .push(events);

const START: AnswerEvent = { type: 'start', id: 'a', model: 'up', createdAt: 0 };
const call = (name: string, input: string, block = 0): AnswerEvent[] => [
  { type: 'block_start', block, choice: 0, content: { type: 'tool_call', kind: 'function', id: 'c1', name } },
  { type: 'delta', block, text: input },
  { type: 'block_end', block },
];
const finished = (reason: 'stop' | 'tool_calls'): AnswerEvent[] => [
  { type: 'finish', choice: 0, reason, raw: null },
  { type: 'end' },
];

function read(client: Protocol, codec: ProtocolCodec, bytes: Uint8Array): readonly AnswerEvent[] {
  const decoder = codec.createStreamDecoder(DECODER);
  const frames = [...decoder.push(bytes), ...decoder.end(true)];
  const own = CODECS.get(client)?.createStreamDecoder(DECODER);
  const given = concatBytes(frames.map((frame) => frame.bytes));
  const answer = translationOf(client).createAnswerDecoder();
  return (own?.push(given) ?? []).flatMap((frame) => (frame.bytes.length === 0 ? [] : answer.push(frame.bytes)));
}

const calls = (events: readonly AnswerEvent[]) =>
  events.flatMap((event) =>
    event.type === 'block_start' && event.content.type === 'tool_call' ? [event.content] : [],
  );
const text = (events: readonly AnswerEvent[]): string =>
  events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');

describe('tools that only some protocols have', () => {
  const PATCH = {
    type: 'custom',
    name: 'apply_patch',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: X' },
  };

  it.each(['openai-chat', 'anthropic-messages', 'gemini'] as const)(
    'a tool on text is a function of one text in %s, and back',
    (to) => {
      const request = responses({
        tools: [PATCH],
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'custom_tool_call', call_id: 'c0', name: 'apply_patch', input: '*** Begin\n"x"' },
          { type: 'custom_tool_call_output', call_id: 'c0', output: 'Done' },
        ],
      });
      const { codec, dropped, body } = sent(request, to);
      expect(dropped).toEqual(['grammar']);
      const seen = JSON.stringify(body);
      expect(seen).toContain('start: X');
      expect(seen).toContain('*** Begin');
      expect(seen).toContain('Done');
      const patch = '*** Begin\n"y"\n\u2028';
      const answer = streamOf(to, [
        START,
        ...call('apply_patch', JSON.stringify({ input: patch })),
        ...finished('tool_calls'),
      ]);
      const events = read('openai-responses', codec, answer);
      expect(calls(events)).toEqual([expect.objectContaining({ kind: 'custom', name: 'apply_patch' })]);
      expect(text(events)).toBe(patch);
    },
  );

  it('what a model says instead of the one text is handed on as it is', () => {
    const { codec } = sent(responses({ tools: [PATCH] }), 'openai-chat');
    const answer = streamOf('openai-chat', [START, ...call('apply_patch', '{"patch":"z"}'), ...finished('tool_calls')]);
    expect(text(read('openai-responses', codec, answer))).toBe('{"patch":"z"}');
  });

  it('a group is a part of the name, and is found again', () => {
    const tool = (name: string) => ({ type: 'function', name, parameters: { type: 'object', properties: {} } });
    const request = responses({
      tools: [tool('run'), { type: 'namespace', name: 'home', description: 'x', tools: [tool('run'), tool('walk')] }],
    });
    const { codec, body } = sent(request, 'anthropic-messages');
    expect(body.tools.map(({ name }: { name: string }) => name)).toEqual(['run', 'home__run', 'home__walk']);
    const answer = streamOf('anthropic-messages', [START, ...call('home__run', '{}'), ...finished('tool_calls')]);
    expect(calls(read('openai-responses', codec, answer))).toEqual([
      expect.objectContaining({ name: 'run', namespace: 'home' }),
    ]);
  });

  it('names get the form that the protocol wants, two of them stay two, and the same stays the same', () => {
    const names = createToolNames(DIALECTS['openai-chat']);
    const given = ['größe', 'gräße', 'x'.repeat(70), `${'x'.repeat(69)}y`, 'ok'].map((name) => ({
      name,
      namespace: null,
      kind: 'function' as const,
    }));
    const sentAs = given.map((tool) => names.toProvider(tool));
    expect(new Set(sentAs).size).toBe(given.length);
    for (const [i, name] of sentAs.entries()) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(names.toClient(name, null)).toEqual(given[i]);
    }
    expect(given.map((tool) => names.toProvider(tool))).toEqual(sentAs);
    const flat = { name: 'b', namespace: 'a', kind: 'function' as const };
    expect(names.toProvider({ name: 'a__b', namespace: null, kind: 'function' })).toBe('a__b');
    expect(names.toProvider(flat)).not.toBe('a__b');
    expect(names.toClient(names.toProvider(flat), null)).toEqual(flat);
    expect(names.toClient('made_up', null)).toBeUndefined();
  });

  it('a search over the client’s own tools is left out, and named; one of the provider is not', () => {
    const { dropped } = sent(
      responses({ tools: [{ type: 'tool_search' }, { type: 'web_search' }] }),
      'anthropic-messages',
    );
    expect(dropped).toEqual(['tool_search']);
    const request = responses({ tools: [{ type: 'web_search' }] });
    expect(translatorOf(request).lacks('openai-chat')).toEqual(['server tools (web_search) in Chat']);
    expect(translatorOf(request).lacks('anthropic-messages')).toEqual([]);
  });

  it('what a search of the client’s found stays there to be called', () => {
    const f = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } };
    const input = [
      { role: 'user', content: 'x' },
      { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { query: 'q' } },
      {
        type: 'tool_search_output',
        call_id: 'c1',
        execution: 'client',
        tools: [f, { type: 'namespace', name: 'n', description: 'd', tools: [{ ...f, name: 'g' }] }],
      },
      { type: 'function_call', call_id: 'c2', name: 'g', namespace: 'n', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c2', output: 'done' },
    ];
    const tools = [f, { type: 'tool_search', execution: 'client', description: 'd', parameters: {} }];
    const { body, dropped } = sent(responses({ input, tools }), 'anthropic-messages');
    expect((body['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(['f', 'n__g']);
    expect(JSON.stringify(body['messages'])).toContain('"name":"n__g"');
    expect(dropped).toEqual(['tool_search', 'tool_search_call']);
  });

  it('the names that such a search gave are told as the words of its result', () => {
    const asked = {
      model: 'm',
      max_tokens: 9,
      tools: [{ name: 'f', input_schema: { type: 'object' }, defer_loading: true }],
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'find', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'f' }] }],
        },
      ],
    };
    const form = { path: '/messages', headers: {}, body: [encodeUtf8(JSON.stringify(asked))] };
    const { body } = sent(readAddressed('anthropic-messages', form), 'openai-chat');
    expect(JSON.stringify(body['messages'])).toContain('Found the tool f.');
  });
});

describe('what only an issuer can read', () => {
  it('goes to the client in an envelope, and out of it to its issuer alone', () => {
    const state = { issuer: 'anthropic-messages', value: 'sig.na==ture' } as const;
    const wrapped = wrapState(state, 'openai-responses');
    expect(wrapped.issuer).toBe('openai-responses');
    expect(unwrapState(wrapped)).toEqual(state);
    expect(wrapState(state, 'anthropic-messages')).toEqual(state);
    // As Responses gives it back, beside the id of its item.
    const kept = {
      issuer: 'openai-responses',
      value: JSON.stringify({ id: 'rs_1', encrypted_content: wrapped.value }),
    } as const;
    expect(unwrapState(kept)).toEqual(state);
    expect(unwrapState({ ...wrapped, value: 'understudy-state.nobody.x' })).toBeNull();
    expect(unwrapState({ ...wrapped, value: '{"encrypted_content":understudy-state.' })).toEqual({
      ...wrapped,
      value: '{"encrypted_content":understudy-state.',
    });
  });

  it('is told from the client’s own in a request', () => {
    const holds = (body: string): boolean => holdsEnvelope({ original: encodeUtf8(body) });
    expect(holds('{"a":"understudy-state.messages.x"}')).toBe(true);
    expect(holds('{"a":"about understudy-state.messages.x"}')).toBe(false);
    expect(holds('{"a":"understudy-stat')).toBe(false);
  });

  it('leaves words, and nothing of a thought that was only a cipher', () => {
    const thought = (words: string, issuer: Protocol): Message => ({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: words, state: { issuer, value: 'x' } },
        { type: 'text', text: 'Hi' },
      ],
    });
    const prompt: CanonicalPrompt = {
      messages: [thought('Hm', 'gemini'), thought('', 'gemini'), thought('', 'anthropic-messages')],
      tools: [],
      settings: {},
    };
    const parts = shimPrompt(prompt, 'anthropic-messages').prompt.messages.map((each) =>
      each.parts.map((part) => part.type),
    );
    expect(parts).toEqual([['reasoning', 'text'], ['text'], ['reasoning', 'text']]);
  });

  it('a round of thoughts with a client of Responses on Messages comes back signed', () => {
    const first = sent(responses({ reasoning: { effort: 'high' } }), 'anthropic-messages');
    const answer = streamOf('anthropic-messages', [
      START,
      { type: 'block_start', block: 0, choice: 0, content: { type: 'reasoning', isSummary: false } },
      { type: 'delta', block: 0, text: 'Hm' },
      { type: 'state', block: 0, state: { issuer: 'anthropic-messages', value: 'SIGNED' } },
      { type: 'block_end', block: 0 },
      ...call('run', '{}', 1),
      ...finished('tool_calls'),
    ]);
    const decoder = first.codec.createStreamDecoder(DECODER);
    const stream = decodeUtf8(concatBytes([...decoder.push(answer), ...decoder.end(true)].map(({ bytes }) => bytes)));
    const completed = /event: response\.completed\ndata: (.*)/.exec(stream)?.[1] ?? '{}';
    const output = (JSON.parse(completed) as { response: { output: object[] } }).response.output;
    const next = responses({
      reasoning: { effort: 'high' },
      input: [
        { role: 'user', content: 'Hi' },
        ...output,
        { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      ],
      tools: [{ type: 'function', name: 'run', parameters: {} }],
    });
    expect(JSON.stringify(sent(next, 'anthropic-messages').body)).toContain('"signature":"SIGNED"');
    expect(JSON.stringify(sent(next, 'gemini').body)).not.toContain('SIGNED');
    expect(holdsEnvelope(next)).toBe(true);
  });
});

describe('what is only a vendor’s business', () => {
  it('is left out without a word', () => {
    const request = responses({
      store: false,
      include: ['reasoning.encrypted_content'],
      client_metadata: { a: 'b' },
      input: [
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'user',
          content: [{ type: 'input_text', text: 'Hi' }],
        },
      ],
    });
    expect(sent(request, 'openai-chat').dropped).toEqual([]);
    expect(
      sent(responses({ store: true, include: ['file_search_call.results'] }), 'anthropic-messages').dropped,
    ).toEqual(['store', 'include']);
  });

  it('Claude Code’s line for its vendor goes to nobody else', () => {
    const body = {
      model: 'm',
      max_tokens: 10,
      system: [
        { type: 'text', text: 'x-anthropic-billing-header: cc=1' },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [{ role: 'user', content: 'Hi' }],
    };
    const request = readAddressed('anthropic-messages', {
      path: '/v1/messages',
      headers: {},
      body: [encodeUtf8(JSON.stringify(body))],
    });
    const seen = JSON.stringify(sent(request, 'openai-chat').body);
    expect(seen).toContain('Be brief.');
    expect(seen).not.toContain('billing');
  });

  it('what another provider’s tool did is history: left out, and named', () => {
    const request = responses({
      input: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { role: 'user', content: 'Hi' },
      ],
    });
    expect(translatorOf(request).lacks('anthropic-messages')).toEqual([]);
    expect(sent(request, 'anthropic-messages').dropped).toEqual(['web_search_call']);
    const kept = responses({
      input: [
        { type: 'item_reference', id: 'msg_1' },
        { role: 'user', content: 'Hi' },
      ],
    });
    expect(translatorOf(kept).lacks('anthropic-messages')).not.toEqual([]);
  });
});

describe('a translated stream', () => {
  const codecTo = (to: Protocol): ProtocolCodec => sent(responses({ stream: true }), to).codec;
  const hello: AnswerEvent[] = [
    START,
    { type: 'block_start', block: 0, choice: 0, content: { type: 'text' } },
    { type: 'delta', block: 0, text: 'Hello' },
    { type: 'block_end', block: 0 },
    ...finished('stop'),
  ];

  it('means what the provider’s frames mean, in the client’s bytes', () => {
    const frames = codecTo('anthropic-messages')
      .createStreamDecoder(DECODER)
      .push(streamOf('anthropic-messages', hello));
    const types = frames.flatMap(({ events }) => events.map(({ type }) => type));
    expect(types).toContain('text');
    expect(types.slice(-2)).toEqual(['finish', 'done']);
    const bytes = decodeUtf8(concatBytes(frames.map((frame) => frame.bytes)));
    expect(bytes).toContain('event: response.output_text.delta');
    expect(bytes).toContain('event: response.completed');
    expect(bytes).not.toContain('message_start');
    expect(frames.findLast(({ sequence }) => sequence !== undefined)?.sequence).toBeGreaterThan(5);
  });

  it('has no end before the provider’s', () => {
    const whole = decodeUtf8(streamOf('openai-chat', hello));
    const cut = encodeUtf8(whole.slice(0, whole.indexOf('"finish_reason":"stop"')));
    const decoder = codecTo('openai-chat').createStreamDecoder(DECODER);
    const frames = [...decoder.push(cut), ...decoder.end(false)];
    const bytes = decodeUtf8(concatBytes(frames.map((frame) => frame.bytes)));
    expect(bytes).toContain('Hello');
    expect(bytes).not.toContain('response.completed');
  });

  it('fails at a frame that can’t be read', () => {
    const decoder = codecTo('openai-chat').createStreamDecoder(DECODER);
    const huge = encodeUtf8(`data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(5000)}"}}]}\n\n`);
    const frames = decoder.push(huge);
    expect(frames.flatMap(({ events }) => events.map(({ type }) => type))).toContain('malformed');
    expect(concatBytes(frames.map((frame) => frame.bytes)).length).toBe(0);
  });

  it('bears the name that the client asked for, where it wants that', () => {
    const options = { ...DECODER, renameModel: 'main' };
    const decoder = codecTo('openai-chat').createStreamDecoder(options);
    const bytes = concatBytes(decoder.push(streamOf('openai-chat', hello)).map((frame) => frame.bytes));
    expect(decodeUtf8(bytes)).toContain('"model":"main"');
    expect(decodeUtf8(bytes)).not.toContain('"model":"up"');
  });
});
