import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitRow } from '../../src/core/stream/commit-table.ts';
import { anthropicMessages } from '../../src/protocol/anthropic-messages/index.ts';
import { concatBytes, encodeUtf8 } from '../../src/protocol/json/index.ts';
import { openaiChat } from '../../src/protocol/openai-chat/index.ts';
import { openaiResponses } from '../../src/protocol/openai-responses/index.ts';
import type { DecoderOptions, ProtocolCodec } from '../../src/protocol/types.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { cutAt } from './cuts.ts';

/** Names that every object answers to, and names that the protocols know. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);
const WORDS = [
  'stop',
  'error',
  'text',
  'function',
  'tool_use',
  'message',
  'reasoning',
  'response.completed',
  'message_start',
  'content_block_start',
  'content_block_delta',
  'response.output_item.added',
  'response.output_item.done',
  '',
];
const MEMBERS = [
  'choices',
  'delta',
  'message',
  'index',
  'finish_reason',
  'tool_calls',
  'function',
  'name',
  'arguments',
  'id',
  'content',
  'reasoning',
  'refusal',
  'usage',
  'error',
  'code',
  'type',
  'role',
  'model',
  'messages',
  'input',
  'output',
  'item',
  'response',
  'status',
  'incomplete_details',
  'reason',
  'content_block',
  'stop_reason',
  'tools',
  'output_index',
  'content_index',
  'item_id',
  'sequence_number',
  'part',
  'text',
  'logprobs',
  'n',
  'stream',
];
const word = fc.constantFrom(...INHERITED, ...WORDS);
const member = fc.oneof(word, fc.constantFrom(...MEMBERS));
const scalar = fc.oneof(
  word,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 2, 1e308, 0.5, '{}', '{', '\ud800', '{"a":'),
);
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 7, withCrossShrink: true },
    { weight: 3, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 5, arbitrary: fc.array(fc.tuple(member, tie('value')), { maxLength: 6 }).map(objectText) },
  ),
}));

/** An object whose members are whatever JSON can name, `__proto__` included. */
function objectText(members: readonly (readonly [string, unknown])[]): unknown {
  const object = {};
  for (const [name, value] of members) {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** The shapes of answers and requests with anything in their places. */
const shaped = fc.oneof(
  json,
  fc.tuple(json, json, scalar).map(([delta, message, reason]) => ({
    id: 'c',
    type: reason,
    choices: [{ index: 0, delta, message, finish_reason: reason }],
  })),
  fc
    .tuple(word, json, json)
    .map(([type, item, delta]) => ({ type, item, delta, part: item, response: item, index: 0 })),
  fc
    .tuple(json, word)
    .map(([content, reason]) => ({ type: 'message', role: 'assistant', content, stop_reason: reason })),
  fc.tuple(json, word).map(([output, status]) => ({ object: 'response', status, output })),
  fc.tuple(json, json).map(([messages, tools]) => ({ model: 'm', messages, input: messages, tools })),
  fc.tuple(word, word).map(([role, type]) => ({
    model: 'm',
    max_tokens: 1,
    input: [{ role, type, content: [{ type }] }],
    messages: [{ role, content: [{ type, text: 'a' }] }],
    tools: [{ type }],
  })),
);
const huge = fc
  .tuple(fc.constantFrom('{}', '{"type":"text"}', '1', '"a"', '[]', '{"id":"a"}'), fc.constantFrom(0, 1, 2, 3))
  .map(([item, place]) => {
    const list = `[${Array.from({ length: 130_000 }, () => item).join()}]`;
    const at = (wanted: number): string => (place === wanted ? list : '[]');
    return `{"id":"x","model":"m","type":"message","role":"assistant","object":"response","status":"completed","output":${at(1)},"content":${at(1)},"input":${at(2)},"messages":${at(2)},"choices":${
      place === 3
        ? list
        : `[{"index":0,"delta":{"tool_calls":${at(0)}},"message":{"tool_calls":${at(0)},"content":${at(1)}},"finish_reason":"stop"}]`
    }}`;
  });

const CODECS: readonly ProtocolCodec[] = [openaiChat, openaiResponses, anthropicMessages];

const settings: DecoderOptions = {
  usageAsked: true,
  choices: 1,
  renameModel: 'main',
  onMalformed: 'fail',
  maxFrameBytes: 1 << 22,
};

function feed(codec: ProtocolCodec, chunks: readonly Uint8Array[], options: DecoderOptions, relaxed: boolean): void {
  const decoder = codec.createStreamDecoder(options);
  if (relaxed) decoder.relax();
  const frames = chunks.flatMap((chunk) => decoder.push(chunk)).concat(decoder.end(true));
  decoder.usage();
  for (const { events } of frames) for (const event of events) judge(event);
  codec.responseFromStream(frames.map(({ bytes }) => bytes));
}

/** Every event must have its row. */
const judge = (event: { type: Parameters<typeof commitRow>[0]; reason?: unknown }): unknown =>
  commitRow(event.type, event.type === 'finish' ? (event.reason as Parameters<typeof commitRow>[1]) : null);

function tryAll(codec: ProtocolCodec, body: Uint8Array): void {
  codec.decodeRequest(body, {});
  for (const status of [null, 200, 400]) codec.decodeError(status, {}, body);
  for (const event of codec.decodeResponse(body, settings).events) judge(event);
  codec.streamFromResponse(body, settings);
}

describe('every codec', () => {
  it('takes any JSON for a body, and throws at none', () => {
    assertProperty(
      fc.property(shaped, fc.boolean(), (value, marked) => {
        const body = encodeUtf8(`${marked ? '\ufeff' : ''}${JSON.stringify(value)}`);
        for (const codec of CODECS) expect(() => tryAll(codec, body)).not.toThrow();
      }),
      300,
    );
  });

  it('takes any events for a stream, and throws at none', () => {
    assertProperty(
      fc.property(
        fc.array(fc.tuple(shaped, word, fc.constantFrom('\n', '\n', '\r\n', '\r')), { maxLength: 6 }),
        fc.array(fc.nat()),
        fc.boolean(),
        fc.constantFrom<DecoderOptions['onMalformed']>('fail', 'drop'),
        (values, cuts, relaxed, onMalformed) => {
          const text = values
            .map(([value, event, end]) => `event: ${event}${end}data: ${JSON.stringify(value)}${end}${end}`)
            .join('');
          const chunks = cutAt(encodeUtf8(`${text}data: [DONE]\n\n`), cuts);
          for (const codec of CODECS)
            expect(() => feed(codec, chunks, { ...settings, onMalformed }, relaxed)).not.toThrow();
        },
      ),
      200,
    );
  });

  it('takes any bytes, and throws at none', () => {
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, relaxed) => {
        for (const codec of CODECS) {
          expect(() => tryAll(codec, bytes)).not.toThrow();
          expect(() => feed(codec, [encodeUtf8('data: '), bytes, encodeUtf8('\n\n')], settings, relaxed)).not.toThrow();
        }
      }),
      200,
    );
  });

  it('takes lists of any length, and throws at none', { timeout: 120_000 }, () => {
    assertProperty(
      fc.property(huge, fc.boolean(), (text, relaxed) => {
        const body = encodeUtf8(text);
        const event = concatBytes([encodeUtf8('data: '), body, encodeUtf8('\n\n')]);
        for (const codec of CODECS) {
          expect(() => tryAll(codec, body)).not.toThrow();
          expect(() => feed(codec, [event], settings, relaxed)).not.toThrow();
        }
      }),
      2,
    );
  });

  it('takes nesting of any depth, and throws at none', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"error":', '}'],
      ['{"choices":[{"delta":{"content":', '}}]}'],
    ] as const) {
      const body = encodeUtf8(`${open.repeat(50_000)}1${close.repeat(50_000)}`);
      for (const codec of CODECS) {
        expect(() => tryAll(codec, body)).not.toThrow();
        expect(() => feed(codec, [encodeUtf8('data: '), body, encodeUtf8('\n\n')], settings, false)).not.toThrow();
        expect(() =>
          codec.responseFromStream([concatBytes([encodeUtf8('data: '), body, encodeUtf8('\n\n')])]),
        ).not.toThrow();
      }
    }
  });
});
