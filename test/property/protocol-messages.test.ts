import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../src/core/model/event.ts';
import type { StreamPolicy } from '../../src/core/stream/phase.ts';
import { StreamPump } from '../../src/engine/pump-stream.ts';
import { anthropicMessages as codec } from '../../src/protocol/anthropic-messages/index.ts';
import { createStreamDecoder } from '../../src/protocol/anthropic-messages/stream-decode.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import type { DecoderOptions } from '../../src/protocol/types.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { delta, OPTIONS, open, STOP, start, stop } from '../kit/messages-stream.ts';
import { SETTINGS } from '../kit/samples.ts';
import { cutAt, cutStreams } from './cuts.ts';

type Json = Record<string, unknown>;

const index = fc.constantFrom<unknown>(0, 0, 0, 1, 2, undefined, '0');
const block = fc.constantFrom<unknown>(
  { type: 'text', text: '' },
  { type: 'thinking', thinking: '', signature: '' },
  { type: 'redacted_thinking', data: 'R' },
  { type: 'tool_use', id: 't', name: 'f', input: {} },
  { type: 'tool_use', name: 'f', input: {} },
  { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
  { type: 'novel', poem: 'x' },
  null,
);
const words = fc.string({ unit: 'binary', maxLength: 6 });
const change = fc.oneof(
  { weight: 4, arbitrary: words.map((text): unknown => ({ type: 'text_delta', text })) },
  words.map((thinking) => ({ type: 'thinking_delta', thinking })),
  fc.constantFrom<unknown>('{', '{}', '', { p: 1 }).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  fc.constantFrom<unknown>(
    { type: 'signature_delta', signature: 'S' },
    { type: 'citations_delta', citation: {} },
    null,
  ),
);
const value: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ index, delta: change }).map((rest) => ({ type: 'content_block_delta', ...rest })),
  },
  {
    weight: 3,
    arbitrary: fc.record({ index, content_block: block }).map((rest) => ({ type: 'content_block_start', ...rest })),
  },
  { weight: 3, arbitrary: index.map((each) => ({ type: 'content_block_stop', index: each })) },
  fc
    .constantFrom<unknown>('end_turn', 'tool_use', 'max_tokens', 'refusal', 'error', '', null)
    .map((stop_reason) => ({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 3 } })),
  fc.constantFrom<Json>(
    {
      type: 'message_start',
      message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
    },
    { type: 'message_stop' },
    { type: 'ping' },
    { type: 'error', error: { type: 'overloaded_error', message: 'm' } },
    { type: 'novel_event' },
    { choices: [] },
  ),
);
const frame = fc
  .tuple(
    value,
    fc.constantFrom(0, 0, 0, 2),
    fc.constantFrom<'own' | 'none' | 'wrong'>('own', 'own', 'own', 'own', 'none', 'wrong'),
    fc.constantFrom('', '', '', ': c', 'id: 1'),
    fc.constantFrom('\n', '\n', '\r\n', '\r'),
  )
  .map(([json, indent, name, line, end]) => {
    const data = JSON.stringify(json, null, indent)
      .split('\n')
      .map((part) => `data: ${part}`);
    const named = name === 'none' ? [] : [`event: ${name === 'own' ? String(json['type']) : 'message_delta'}`];
    return [...(line === '' ? [] : [line]), ...named, ...data, '', ''].join(end);
  });
const odd = fc.constantFrom(
  ': ping\n\n',
  '\n',
  'event: ping\n\n',
  'data: keep-alive\n\n',
  'data: [DONE]\n\n',
  'data: {"type":"content_bl\n\n',
  'event: error\ndata: x\n\n',
);
const stream = fc
  .tuple(
    fc.constantFrom('', start(), start()),
    fc.array(fc.oneof({ weight: 9, arbitrary: frame }, odd), { maxLength: 12 }),
    fc.constantFrom('', '', stop() + STOP, STOP.trimEnd(), 'data: {"x', ':'),
  )
  .map(([head, frames, tail]) => head + frames.join('') + tail);
const options = fc.record<DecoderOptions>({
  usageAsked: fc.constant(true),
  choices: fc.constant(1),
  renameModel: fc.constantFrom(null, 'main'),
  onMalformed: fc.constantFrom('fail', 'drop'),
  maxFrameBytes: fc.constantFrom(1 << 20, 128),
});

type Seen = { text: string; events: CanonicalEvent[]; edits: string[]; count: number; usage: unknown };

/** `relaxAt`: before which chunk. */
function decode(chunks: readonly Uint8Array[], settings: DecoderOptions, clean: boolean, relaxAt = -1): Seen {
  const decoder = createStreamDecoder(settings);
  const frames = chunks.flatMap((bytes, i) => {
    if (i === relaxAt) decoder.relax();
    return decoder.push(bytes);
  });
  frames.push(...decoder.end(clean));
  return {
    text: decodeUtf8(concatBytes(frames.map(({ bytes }) => bytes))),
    // A run of blank lines is one piece in one read, and several in several.
    events: frames
      .flatMap(({ events }) => events)
      .filter(({ type }, i, all) => type !== 'comment' || all[i - 1]?.type !== 'comment'),
    edits: frames.flatMap(({ edits }) => edits),
    count: frames.reduce((sum, { count }) => sum + count, 0),
    usage: decoder.usage(),
  };
}

/** Behind the end of an answer a run of blank lines is noise: once in one read, and several times in several. */
const foldNoise = ({ events, edits, ...rest }: Seen): Seen => ({
  ...rest,
  events: events.filter(({ type }, i) => type !== 'noise' || events[i - 1]?.type !== 'noise'),
  edits: edits.filter((edit, i) => edit !== 'noise_left_out' || edits[i - 1] !== edit),
});

/** What a client that reads events gets, in the order and the terms of the protocol. */
function readEvents(text: string): { name: string; data: Json }[] {
  return text
    .split(/\r\n\r\n|\n\n|\r\r|\n\r\n|\r\n\r/)
    .map((each) => each.split(/\r\n|\n|\r/))
    .filter((lines) => lines.some((line) => line.startsWith('data')))
    .map((lines) => ({
      name:
        lines
          .findLast((line) => line.startsWith('event:'))
          ?.slice(6)
          .trim() ?? '',
      data: JSON.parse(lines.find((line) => line.startsWith('data:'))?.slice(5) ?? 'null') as Json,
    }));
}

/**
 * What decides nothing: a relaxed decoder may pass it unread. The line end that is left where a frame ends inside `\r\n`
 * is a comment, and goes with the frame.
 */
const QUIET = new Set(['text', 'blank_text', 'empty_delta', 'reasoning', 'tool_fragment', 'comment']);

describe('the Messages stream decoder', () => {
  it('gives the same bytes, events, edits and usage however the stream was cut', () => {
    assertProperty(
      fc.property(cutStreams(stream, options), ({ bytes, cuts, settings, clean, relaxed }) => {
        const see = (chunks: readonly Uint8Array[]): Seen =>
          foldNoise(decode(chunks, settings, clean, relaxed ? 0 : -1));
        const whole = see([bytes]);
        for (const chunks of cuts) expect(see(chunks)).toEqual(whole);
      }),
      400,
    );
  });

  it('delivers the same when it is relaxed, and sees all that decides', () => {
    const head = start() + open({ type: 'text', text: '' }) + delta({ type: 'text_delta', text: 'x' });
    assertProperty(
      fc.property(stream, options, fc.boolean(), (text, settings, clean) => {
        const rest = encodeUtf8(text);
        const strict = decode([encodeUtf8(head), rest], settings, clean);
        const relaxed = decode([encodeUtf8(head), rest], settings, clean, 1);
        expect({ ...relaxed, events: [] }).toEqual({ ...strict, events: [] });
        const decisive = ({ events }: Seen): unknown[] => events.filter(({ type }) => !QUIET.has(type));
        expect(decisive(relaxed)).toEqual(decisive(strict));
      }),
      400,
    );
  });

  it('gives clients named events, blocks in order, and one end with nothing behind it', () => {
    assertProperty(
      fc.property(stream, (text) => {
        const { text: out } = decode([encodeUtf8(text)], OPTIONS, true);
        const events = readEvents(out);
        const known = events.filter(({ data }) => typeof data['type'] === 'string' && data['type'] !== 'novel_event');
        for (const { name, data } of known) if (data['type'] !== 'ping') expect(name).toBe(data['type']);
        const types = known.map(({ data }) => data['type']);
        expect(types).not.toContain('error');
        expect(types.filter((type) => type === 'message_start').length).toBeLessThanOrEqual(1);
        const at = types.indexOf('message_stop');
        if (at >= 0) expect(at).toBe(types.length - 1);
        const starts = known.filter(({ data }) => data['type'] === 'content_block_start');
        expect(starts.map(({ data }) => data['index'])).toEqual(starts.map((_, i) => i));
        const stops = known
          .filter(({ data }) => data['type'] === 'content_block_stop')
          .map(({ data }) => data['index']);
        expect(new Set(stops).size).toBe(stops.length);
      }),
      400,
    );
  });

  it('relays a stream without faults byte for byte', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"error":{', 'event: error', '[DONE]', 'message_stop', '\n\n', '\u2028'),
    );
    const kinds = fc.constantFrom<readonly [Json, string, string]>(
      [{ type: 'text', text: '' }, 'text_delta', 'text'],
      [{ type: 'thinking', thinking: '', signature: '' }, 'thinking_delta', 'thinking'],
      [{ type: 'server_tool_use', id: 's', name: 'n', input: {} }, 'input_json_delta', 'partial_json'],
    );
    const blocks = fc.array(fc.tuple(kinds, fc.array(text, { maxLength: 4 })), { maxLength: 4 });
    assertProperty(
      fc.property(
        blocks,
        fc.array(fc.nat()),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n', '\r'),
        (list, cuts, relaxed, end) => {
          const events = list.flatMap(([[content_block, type, member], texts], i): Json[] => [
            { type: 'content_block_start', index: i, content_block },
            ...texts.map((each) => ({ type: 'content_block_delta', index: i, delta: { type, [member]: each } })),
            { type: 'content_block_stop', index: i },
          ]);
          const middle = events.map((each) => `event: ${String(each['type'])}\ndata: ${JSON.stringify(each)}\n\n`);
          const sent = (start() + middle.join('') + stop() + STOP).replaceAll('\n', end);
          const bytes = encodeUtf8(sent);
          const seen = decode(cutAt(bytes, cuts), OPTIONS, true, relaxed ? 0 : -1);
          // The second half of the very last line end is no part of the answer any more.
          expect(seen.text.trimEnd()).toBe(decodeUtf8(bytes).trimEnd());
          expect(seen.edits.filter((edit) => edit !== 'noise_left_out' && edit !== 'half_frame_left_out')).toEqual([]);
          expect(seen.events.filter(({ type }) => type === 'finish' || type === 'done')).toHaveLength(2);
        },
      ),
      200,
    );
  });

  it('says once how an answer ended, and never completes what was cut before its reason', () => {
    const policy: StreamPolicy = { ...SETTINGS, acceptEmpty: true };
    assertProperty(
      fc.property(stream, fc.boolean(), fc.array(fc.nat()), (text, clean, cuts) => {
        const out: Uint8Array[] = [];
        const decoder = createStreamDecoder(OPTIONS);
        const pump = new StreamPump(decoder, policy, {
          onCommit: () => {},
          onWrite: (frames) => out.push(...frames.map(({ bytes }) => bytes)),
        });
        let isOver = false;
        for (const chunk of cutAt(encodeUtf8(text), cuts)) isOver ||= pump.push(chunk) !== null;
        const end = pump.end(clean);
        const types = readEvents(decodeUtf8(concatBytes(out))).map(({ data }) => data['type']);
        if (end.type === 'failed') expect(out).toEqual([]);
        if (end.type === 'interrupted') expect(types).not.toContain('message_stop');
        if (end.type === 'complete') expect(types.at(-1)).toBe('message_stop');
        expect(isOver && end.type === 'failed' && out.length > 0).toBe(false);
      }),
      400,
    );
  });
});

describe('hostile bodies', () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 64 }),
    fc.json({ stringUnit: 'binary' }).map(encodeUtf8),
    fc
      .record<Json>(
        {
          type: fc.constantFrom<unknown>('message', 'error', 7),
          content: fc.oneof(fc.array(fc.oneof(block, fc.jsonValue()), { maxLength: 3 }), fc.jsonValue()),
          stop_reason: fc.oneof(fc.constantFrom<unknown>('end_turn', '', null), fc.jsonValue()),
          usage: fc.jsonValue(),
          error: fc.jsonValue(),
          id: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((each) => encodeUtf8(JSON.stringify(each))),
  );

  it('never throw, as answers or as errors', () => {
    assertProperty(
      fc.property(body, fc.constantFrom(200, 400, 529, null), (bytes, status) => {
        const decoded = codec.decodeResponse(bytes, { renameModel: 'main', choices: 1 });
        expect(decoded.body.length > 0 || bytes.length === 0).toBe(true);
        codec.streamFromResponse(bytes, { usageAsked: true, renameModel: null });
        JSON.parse(decodeUtf8(codec.responseFromStream([bytes])));
        codec.decodeError(status, {}, bytes);
      }),
      400,
    );
  });

  it('never throw, as requests', () => {
    const content = fc.oneof(fc.string(), fc.array(fc.oneof(block, fc.jsonValue()), { maxLength: 3 }), fc.jsonValue());
    const message = fc.oneof(
      fc.record<Json>({ role: fc.constantFrom<unknown>('user', 'assistant', 'system', 7), content }),
      fc.jsonValue(),
    );
    const request = fc
      .record<Json>(
        {
          model: fc.constant('m'),
          messages: fc.array(message, { minLength: 1, maxLength: 4 }),
          system: fc.oneof(content, fc.jsonValue()),
          tools: fc.array(fc.oneof(block, fc.jsonValue()), { maxLength: 3 }),
          metadata: fc.record<Json>({ user_id: fc.oneof(fc.json(), fc.jsonValue()) }),
          thinking: fc.jsonValue(),
          output_config: fc.jsonValue(),
        },
        { requiredKeys: ['model', 'messages'] },
      )
      .map((each) => encodeUtf8(JSON.stringify(each)));
    assertProperty(
      fc.property(fc.oneof(body, request), fc.boolean(), (bytes, withoutState) => {
        const decoded = codec.decodeRequest(bytes, {});
        if (!decoded.ok) {
          expect(decoded.problem.message).not.toBe('');
          return;
        }
        const defaults = { maxOutputTokens: 9, reasoningEffort: 'high' };
        const egress = { model: 'x', capabilities: {}, askUsage: true, withoutState, defaults };
        const sent = JSON.parse(decodeUtf8(concatBytes(codec.encodeRequest(decoded.request, egress).body))) as Json;
        expect(sent).toMatchObject({ model: 'x', max_tokens: 9 });
        if (withoutState) return;
        const { model: _model, max_tokens: _limit, output_config: _config, ...rest } = sent;
        const { model: _own, output_config: _other, ...given } = JSON.parse(decodeUtf8(bytes)) as Json;
        expect(rest).toEqual(given);
      }),
      400,
    );
  });
});

describe('a request without foreign state', () => {
  it('is the request without those blocks, and nothing else', () => {
    const kinds = fc.constantFrom<Json>(
      { type: 'text', text: 'x' },
      { type: 'thinking', thinking: 't', signature: 'S' },
      { type: 'redacted_thinking', data: 'R' },
      { type: 'tool_use', id: 't', name: 'f', input: {} },
    );
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.array(kinds, { maxLength: 5 }),
    });
    const isForeign = ({ type }: Json): boolean => type === 'thinking' || type === 'redacted_thinking';
    assertProperty(
      fc.property(fc.array(message, { maxLength: 5 }), fc.constantFrom(0, 2, '\t'), (turns, indent) => {
        const given = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [] as Json[] }, ...turns] };
        const decoded = codec.decodeRequest(encodeUtf8(JSON.stringify(given, null, indent)), {});
        if (!decoded.ok) throw new Error(decoded.problem.message);
        const egress = { model: 'm', capabilities: {}, askUsage: true, withoutState: true, defaults: {} };
        const sent = JSON.parse(decodeUtf8(concatBytes(codec.encodeRequest(decoded.request, egress).body))) as Json;
        const want = given.messages.flatMap((each) => {
          if (each.role !== 'assistant') return [each];
          const content = each.content.filter((part) => !isForeign(part));
          return content.length === 0 && each.content.length > 0 ? [] : [{ ...each, content }];
        });
        expect(sent).toEqual({ ...given, messages: want });
      }),
      200,
    );
  });
});
