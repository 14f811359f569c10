import { describe, expect, it } from 'vitest';
import { readAddressed } from '../../../test/protocols/read-addressed.ts';
import type { AnswerEvent } from '../../core/model/answer.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { CODECS } from '../index.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { DecoderOptions } from '../types.ts';
import { createCallIds } from './call-ids.ts';
import { DIALECTS } from './dialects.ts';
import { translatorOf } from './index.ts';

const SCRIBE = { createId: (prefix: string) => `${prefix}1`, now: 0 };
const EGRESS = { model: 'up', askUsage: false, capabilities: {}, defaults: {}, withoutState: false };
const DECODER: DecoderOptions = {
  usageAsked: true,
  choices: 1,
  renameModel: null,
  onMalformed: 'fail',
  maxFrameBytes: 1 << 20,
};

const request = (protocol: Protocol, body: object): CanonicalRequest => {
  const path = protocol === 'gemini' ? '/models/m:generateContent' : '/';
  return readAddressed(protocol, { path, headers: {}, body: [encodeUtf8(JSON.stringify(body))] });
};

const chat = (messages: readonly object[], more: object = {}): CanonicalRequest =>
  request('openai-chat', { model: 'm', messages, ...more });

function sent(from: CanonicalRequest, to: Protocol) {
  const { body } = translatorOf(from).codec(to, SCRIBE).encodeRequest(from, EGRESS);
  return JSON.parse(decodeUtf8(concatBytes([...body])));
}

const HI = { role: 'user', content: 'Hi' };
const called = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } })),
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const tool = (name: string, parameters: object = { type: 'object' }) => ({
  type: 'function',
  function: { name, parameters },
});

describe('ids of calls', () => {
  it('that come again are told apart, each result with its call', () => {
    const twice = chat([
      HI,
      called('call_0'),
      result('call_0', 'one'),
      called('call_0', 'call_0'),
      result('call_0', 'two'),
      result('call_0', 'three'),
    ]);
    const items: { type: string; call_id: string; output?: string }[] = sent(twice, 'openai-responses').input.slice(1);
    const ids = items.filter(({ type }) => type === 'function_call').map((item) => item.call_id);
    expect(ids[0]).toBe('call_0');
    expect(new Set(ids).size).toBe(3);
    const results = items.filter(({ type }) => type === 'function_call_output');
    expect(results.map((item) => [item.call_id, item.output])).toEqual(
      ids.map((id, i) => [id, ['one', 'two', 'three'][i]]),
    );
    expect(sent(twice, 'openai-responses')).toEqual(
      sent(
        chat([
          HI,
          called('call_0'),
          result('call_0', 'one'),
          called('call_0', 'call_0'),
          result('call_0', 'two'),
          result('call_0', 'three'),
        ]),
        'openai-responses',
      ),
    );
    const uses = JSON.stringify(sent(twice, 'anthropic-messages')).match(/"type":"tool_use","id":"[^"]+"/g);
    expect(new Set(uses).size).toBe(3);
  });

  it('stay within what the protocol takes, also where one looks like a made one', () => {
    const ids = createCallIds(DIALECTS['openai-chat']);
    const given = ['x'.repeat(60), 'x'.repeat(60), 'functions.run:0', '', '', 'a'];
    const made = given.map((id) => ids.open(id, 'run'));
    expect(new Set(made).size).toBe(given.length);
    for (const id of made) expect(id).toMatch(/^[\w-]{1,40}$/);
    const other = createCallIds(DIALECTS['openai-chat']);
    expect(other.open(made[1] ?? '', 'run')).toBe(made[1]);
    expect(other.open('x'.repeat(60), 'run')).not.toBe(other.open('x'.repeat(60), 'run'));
    expect(ids.answer('nobody')).toBeUndefined();
    expect(ids.answer('a')).toEqual({ id: 'a', name: 'run' });
    expect(ids.answer('a')).toEqual({ id: 'a', name: 'run' });
  });
});

describe('names of tools', () => {
  it('of results are those of their calls, as they were written', () => {
    const body = sent(
      request('openai-responses', {
        model: 'm',
        tools: [
          {
            type: 'namespace',
            name: 'home',
            description: 'x',
            tools: [{ type: 'function', name: 'run', parameters: {} }],
          },
        ],
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'function_call', call_id: 'c', name: 'run', namespace: 'home', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: 'ok' },
        ],
      }),
      'gemini',
    );
    expect(body.contents[1].parts[0].functionCall.name).toBe('home__run');
    expect(body.contents[2].parts[0].functionResponse.name).toBe('home__run');
  });

  it('begin as the protocol wants it', () => {
    const names = (to: Protocol): string =>
      JSON.stringify(sent(chat([HI], { tools: [tool('3d'), tool('_3d')] }), to).tools);
    expect(names('gemini')).toContain('"name":"_3d"');
    expect(names('gemini')).not.toContain('"name":"3d"');
    expect(names('anthropic-messages')).toContain('"name":"3d"');
  });

  it('come with schemas that list their members where they have to', () => {
    const from = request('anthropic-messages', {
      model: 'm',
      max_tokens: 99,
      messages: [HI],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
    });
    expect(sent(from, 'openai-chat').tools[0].function.parameters).toEqual({ type: 'object', properties: {} });
    expect(sent(from, 'openai-responses').tools[0].parameters).toEqual({ type: 'object', properties: {} });
    expect(sent(from, 'gemini').tools[0].functionDeclarations[0].parametersJsonSchema).toEqual({ type: 'object' });
  });
});

describe('a conversation that only its provider keeps', () => {
  it('goes to nobody who would answer without it', () => {
    const of = (more: object): readonly string[] =>
      translatorOf(request('openai-responses', { model: 'm', input: 'Hi', ...more })).lacks('openai-chat');
    expect(of({ previous_response_id: 'resp_1' })).toEqual(['state of a provider in Chat']);
    expect(of({ previous_response_id: null })).toEqual([]);
  });
});

describe('a call that was cut', () => {
  const cut = (client: Protocol, from: CanonicalRequest, reason: 'length' | 'tool_calls'): string => {
    const codec = translatorOf(from).codec('openai-chat', SCRIBE);
    codec.encodeRequest(from, EGRESS);
    const events: AnswerEvent[] = [
      { type: 'start', id: 'a', model: 'up', createdAt: 0 },
      {
        type: 'block_start',
        block: 0,
        choice: 0,
        content: { type: 'tool_call', kind: 'function', id: 'c', name: 'run' },
      },
      { type: 'delta', block: 0, text: '{"a":' },
      { type: 'block_end', block: 0 },
      { type: 'finish', choice: 0, reason, raw: null },
      { type: 'end' },
    ];
    const provider = CODECS.get('openai-chat')?.translation;
    const stream = provider?.createAnswerEncoder({ ...SCRIBE, model: 'up', usageAsked: true }).push(events);
    expect(client).toBe(from.protocol);
    const frames = codec.createStreamDecoder(DECODER).push(stream ?? new Uint8Array());
    return decodeUtf8(concatBytes(frames.map(({ bytes }) => bytes)));
  };

  it('at a limit is never told as a whole one', () => {
    const responses = request('openai-responses', {
      model: 'm',
      input: 'Hi',
      stream: true,
      tools: [{ type: 'function', name: 'run', parameters: {} }],
    });
    const told = cut('openai-responses', responses, 'length');
    expect(told).toMatch(/output_item\.done.*"status":"incomplete"/s);
    expect(told).not.toContain('"arguments":"{\\"a\\":","status":"completed"');
    const gemini = request('gemini', { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] });
    expect(cut('gemini', gemini, 'length')).toContain('MAX_TOKENS');
    expect(cut('gemini', gemini, 'length')).not.toContain('functionCall');
    const messages = request('anthropic-messages', { model: 'm', max_tokens: 99, messages: [HI], stream: true });
    expect(cut('anthropic-messages', messages, 'length')).toMatch(/content_block_stop.*"stop_reason":"max_tokens"/s);
  });
});

describe('a conversation of thousands of turns', () => {
  const many = (count: number, make: (i: number) => object): object[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const timeOf = (from: CanonicalRequest, to: Protocol): number => {
    const before = performance.now();
    sent(from, to);
    return performance.now() - before;
  };

  // Ten times as many cost ten times as much, where each is looked at once; up to a hundred, where each looks at all.
  it.each<[string, Protocol, (count: number) => CanonicalRequest]>([
    ['words of one role', 'anthropic-messages', (count) => chat(many(count, () => HI))],
    [
      'calls without results',
      'anthropic-messages',
      (count) => chat(many(count, (i) => (i % 2 === 0 ? HI : called(`c${i}`)))),
    ],
    [
      'answers behind a call',
      'openai-responses',
      (count) => chat([HI, called('a'), ...many(count, () => result('a', 'x'))]),
    ],
    [
      'results without ids',
      'openai-responses',
      (count) =>
        request('gemini', {
          contents: [
            { role: 'user', parts: [{ text: 'Hi' }] },
            { role: 'model', parts: many(count, () => ({ functionCall: { name: 'run', args: {} } })) },
            { role: 'user', parts: many(count, () => ({ functionResponse: { name: 'run', response: {} } })) },
          ],
        }),
    ],
  ])('%s costs as much as it is long', (_name, to, make) => {
    timeOf(make(1500), to);
    const few = Math.max(1, timeOf(make(1500), to));
    // Ten times as long; what grew with its square would take a hundred times.
    expect(timeOf(make(15_000), to)).toBeLessThan(few * 60);
  });
});
