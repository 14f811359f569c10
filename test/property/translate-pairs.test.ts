import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../src/core/model/answer.ts';
import type { Part } from '../../src/core/model/content.ts';
import type { Frame } from '../../src/core/model/event.ts';
import type { CanonicalPrompt } from '../../src/core/model/prompt.ts';
import type { Protocol } from '../../src/core/model/protocol.ts';
import type { CanonicalRequest } from '../../src/core/model/request.ts';
import { CODECS } from '../../src/protocol/index.ts';
import { concatBytes, decodeUtf8 } from '../../src/protocol/json/index.ts';
import { translatorOf } from '../../src/protocol/translate/index.ts';
import type { AnswerOptions, Translation } from '../../src/protocol/translation.ts';
import type { DecoderOptions, ProtocolCodec, StreamDecoder } from '../../src/protocol/types.ts';
import { messagesFaults } from '../kit/anthropic-messages-validator.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { validateGemini } from '../kit/gemini-validator.ts';
import { validateChatStream } from '../kit/openai-chat-validator.ts';
import { responsesFaults } from '../kit/responses-validator.ts';
import { commonAnswer, commonPrompt } from '../kit/translation-arbitrary.ts';
import { readAddressed } from '../protocols/read-addressed.ts';

const PROTOCOLS = [...CODECS.keys()];
const PAIRS = PROTOCOLS.flatMap((client) =>
  PROTOCOLS.filter((each) => each !== client).map((provider) => [client, provider] as const),
);

const codecOf = (protocol: Protocol): ProtocolCodec & { readonly translation: Translation } => {
  const codec = CODECS.get(protocol);
  if (codec?.translation === undefined) throw new Error(protocol);
  return { ...codec, translation: codec.translation };
};

const check = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void): void =>
  assertProperty(fc.property(arbitrary, law), 60);

/** The order of events, by each vendor's documentation. */
const VALIDATORS: { readonly [P in Protocol]?: (stream: string) => readonly string[] } = {
  'openai-chat': (stream) => validateChatStream(stream, { usageAsked: true }),
  'openai-responses': responsesFaults,
  'anthropic-messages': messagesFaults,
  gemini: validateGemini,
};

const OPTIONS: AnswerOptions = { model: 'up-1', usageAsked: true, createId: (prefix) => `${prefix}made`, now: 0 };
const DECODER: DecoderOptions = {
  usageAsked: true,
  choices: 1,
  renameModel: null,
  onMalformed: 'fail',
  maxFrameBytes: 1 << 22,
};
const EGRESS = { model: 'some-model', askUsage: true, capabilities: {}, defaults: {}, withoutState: false };

function ask(prompt: CanonicalPrompt, client: Protocol, stream: boolean): CanonicalRequest {
  return readAddressed(client, codecOf(client).translation.writePrompt(prompt, { ...EGRESS, stream }));
}

/** What must get through whatever the protocols are: words, calls with ids and arguments, results, pictures. */
function gist({ messages, tools, settings }: CanonicalPrompt): unknown {
  const saidBy: Record<string, string> = {};
  const others: unknown[] = [];
  const take = (role: string, part: Part): void => {
    if (part.type === 'text') saidBy[role] = (saidBy[role] ?? '') + part.text;
    else if (part.type === 'tool_call') others.push([part.type, part.id, part.name, JSON.parse(part.input)]);
    else if (part.type === 'tool_result') {
      others.push([
        part.type,
        part.callId,
        part.content.map((each) => (each.type === 'text' ? each.text : each.type)).join(''),
      ]);
    } else others.push([part.type]);
  };
  for (const { role, parts } of messages) for (const part of parts) take(role === 'developer' ? 'system' : role, part);
  return {
    saidBy,
    others,
    tools: tools.map((tool) => ('name' in tool ? tool.name : tool.what)),
    max: settings.maxOutputTokens,
  };
}

/** The same of an answer. */
function sum(events: readonly AnswerEvent[]): unknown {
  const text: string[] = [];
  const calls = new Map<number, { id: string; name: string; input: string }>();
  const kinds = new Map<number, string>();
  let usage: unknown = null;
  let finish: unknown = null;
  for (const event of events) {
    if (event.type === 'block_start') {
      kinds.set(event.block, event.content.type);
      if (event.content.type === 'tool_call')
        calls.set(event.block, { id: event.content.id, name: event.content.name, input: '' });
    } else if (event.type === 'delta') {
      const call = calls.get(event.block);
      if (call !== undefined) call.input += event.text;
      else if (kinds.get(event.block) === 'text') text.push(event.text);
    } else if (event.type === 'usage') usage = [event.usage.inputTokens, event.usage.outputTokens];
    else if (event.type === 'finish') finish = event.reason;
  }
  const made = [...calls.values()].map(({ id, name, input }) => [id, name, JSON.parse(input === '' ? '{}' : input)]);
  return { text: text.join(''), made, usage, finish, isEnded: events.at(-1)?.type === 'end' };
}

const translated = (client: Protocol, provider: Protocol, stream: boolean): ProtocolCodec => {
  const prompt: CanonicalPrompt = {
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    tools: [],
    settings: {},
  };
  const request = ask(prompt, client, stream);
  const codec = translatorOf(request).codec(provider, { createId: OPTIONS.createId, now: 0 });
  codec.encodeRequest(request, EGRESS);
  return codec;
};

/** Cut at these places, in order. */
const cutInto = (bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] => {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const end = Math.min(bytes.length, at + (sizes[i % Math.max(1, sizes.length)] ?? bytes.length));
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
};

/** As the engine reads: behind the end mark nothing is asked for any more. */
function readAll(decoder: StreamDecoder, chunks: readonly Uint8Array[]): readonly Frame[] {
  const frames = chunks.flatMap((chunk) => [...decoder.push(chunk)]);
  const isDone = frames.some(({ events }) => events.some(({ type }) => type === 'done'));
  return isDone ? frames : [...frames, ...decoder.end(true)];
}

function readStream(protocol: Protocol, bytes: Uint8Array): readonly AnswerEvent[] {
  const codec = codecOf(protocol);
  const decoder = codec.createStreamDecoder(DECODER);
  const answer = codec.translation.createAnswerDecoder();
  const frames = [...decoder.push(bytes), ...decoder.end(true)];
  const faults = frames.flatMap(({ events }) =>
    events.filter(({ type }) => ['error', 'malformed', 'cut'].includes(type)),
  );
  expect(faults, decodeUtf8(bytes)).toEqual([]);
  const events = frames.flatMap((frame) => (frame.bytes.length === 0 ? [] : answer.push(frame.bytes)));
  return events.at(-1)?.type === 'end' ? events : [...events, ...answer.end()];
}

describe.each(PAIRS)('a client of %s on a provider of %s', (client, provider) => {
  it('gets all of a prompt through', () => {
    check(commonPrompt, (prompt) => {
      const request = ask(prompt, client, false);
      const read = codecOf(client).translation.readPrompt(request);
      if (!read.ok) throw new Error(read.problem.message);
      expect(translatorOf(request).lacks(provider)).toEqual([]);
      const codec = translatorOf(request).codec(provider, { createId: OPTIONS.createId, now: 0 });
      const written = codec.encodeRequest(request, EGRESS);
      const got = codecOf(provider).translation.readPrompt(readAddressed(provider, { ...written }));
      if (!got.ok) throw new Error(got.problem.message);
      expect(gist(got.prompt)).toEqual(gist(read.prompt));
    });
  });

  it('gets all of a streamed answer, however it is cut, in a valid form', () => {
    check(
      fc.tuple(commonAnswer, fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 })),
      ([events, sizes]) => {
        const upstream = codecOf(provider).translation.createAnswerEncoder(OPTIONS);
        const bytes = concatBytes(events.map((event) => upstream.push([event])));
        const decoder = translated(client, provider, true).createStreamDecoder(DECODER);
        const frames = readAll(decoder, cutInto(bytes, sizes));
        const given = concatBytes(frames.map((frame) => frame.bytes));
        expect(VALIDATORS[client]?.(decodeUtf8(given))).toEqual([]);
        expect(sum(readStream(client, given))).toEqual(sum(events));
      },
    );
  });

  it('gets all of a JSON answer', () => {
    check(commonAnswer, (events) => {
      const body = codecOf(provider).translation.writeAnswer(events, OPTIONS);
      const decoded = translated(client, provider, false).decodeResponse(body, DECODER);
      expect(decoded.events.filter(({ type }) => ['error', 'malformed', 'cut'].includes(type))).toEqual([]);
      expect(sum(codecOf(client).translation.readAnswer(decoded.body))).toEqual(sum(events));
    });
  });
});
