import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanonicalEvent } from '../../src/core/model/event.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import { createStreamDecoder } from '../../src/protocol/openai-chat/stream-decode.ts';
import type { DecoderOptions } from '../../src/protocol/types.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { cutAt, cutStreams } from './cuts.ts';

const args = fc.constantFrom('', '{', '{"p":1}', '}', '{}', { p: 1 });
const toolCall = fc.record(
  {
    index: fc.constantFrom(0, 1, null),
    id: fc.constantFrom('a', 'b', ''),
    function: fc.record({ name: fc.constantFrom('f', 'g', ''), arguments: args }, { requiredKeys: [] }),
  },
  { requiredKeys: ['function'] },
);
const delta = fc.oneof(
  { weight: 4, arbitrary: fc.record({ content: fc.string({ unit: 'binary', maxLength: 6 }) }) },
  fc.record({ tool_calls: fc.array(toolCall, { maxLength: 2 }) }),
  fc.constantFrom({}, null, { role: 'assistant', content: '' }, { reasoning_content: 'r' }, { refusal: 'no' }),
);
const finish = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  fc.constantFrom('stop', 'length', '', 'tool_calls', 'odd'),
);
const chunk = fc
  .tuple(fc.constantFrom(0, 0, 0, 1), delta, finish, fc.constantFrom(0, 0, 0, 2))
  .map(([index, value, finish_reason, indent]) =>
    JSON.stringify(
      { id: 'c', created: 1, model: 'm', choices: [{ index, delta: value, finish_reason }] },
      null,
      indent,
    ),
  );

const payload = fc.oneof(
  { weight: 8, arbitrary: chunk },
  fc.constantFrom(
    '{"id":"c","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}',
    '{"id":"c","usage":{"prompt_tokens":1,"completion_tokens":2}}',
    '{"error":{"message":"m"}}',
    '{"id":"c","choi',
    'keep-alive',
    '',
    '[DONE]',
  ),
);
const frame = fc
  .tuple(payload, fc.constantFrom('', '', '', 'event: x', ': c', 'id: 1'), fc.constantFrom('\n', '\n', '\r\n', '\r'))
  .map(([text, line, end]) =>
    [...(line === '' ? [] : [line]), ...text.split('\n').map((part) => `data: ${part}`), '', ''].join(end),
  );
const stream = fc
  .tuple(
    fc.array(fc.oneof({ weight: 9, arbitrary: frame }, fc.constantFrom(': ping\n\n', '\n', 'event: e\n\n')), {
      maxLength: 10,
    }),
    fc.constantFrom('', '', 'data: [DONE]', 'data: {"x', ':'),
  )
  .map(([frames, tail]) => frames.join('') + tail);
const options = fc.record<DecoderOptions>({
  usageAsked: fc.boolean(),
  choices: fc.constantFrom(1, 1, 2),
  renameModel: fc.constantFrom(null, 'main'),
  onMalformed: fc.constantFrom('fail', 'drop'),
  maxFrameBytes: fc.constantFrom(1 << 20, 128),
});

type Seen = { text: string; events: CanonicalEvent[]; edits: string[]; count: number };

function decode(chunks: readonly Uint8Array[], settings: DecoderOptions, clean: boolean, relaxed: boolean): Seen {
  const decoder = createStreamDecoder(settings);
  if (relaxed) decoder.relax();
  const frames = chunks.flatMap((bytes) => decoder.push(bytes));
  frames.push(...decoder.end(clean));
  return {
    text: decodeUtf8(concatBytes(frames.map(({ bytes }) => bytes))),
    events: withoutRuns(
      frames.flatMap(({ events }) => events),
      isRun,
    ),
    edits: withoutRuns(
      frames.flatMap(({ edits }) => edits),
      (edit) => edit === 'noise_left_out',
    ),
    count: frames.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Blank lines are one comment as far as one chunk goes, behind the end one noise. */
const isRun = ({ type }: CanonicalEvent): boolean => type === 'comment' || type === 'noise';
const withoutRuns = <T>(list: readonly T[], isRun: (item: T) => boolean): T[] =>
  list.filter((item, i) => !isRun(item) || JSON.stringify(item) !== JSON.stringify(list[i - 1]));

/** What decides something, or is delivered by itself, whether the decoder is relaxed or not. */
const DECISIVE = new Set([
  'finish',
  'done',
  'error',
  'usage',
  'cut',
  'noise',
  'malformed',
  'tool_call',
  'tool_end',
  'comment',
]);

describe('the Chat stream decoder', () => {
  it('gives the same bytes, events and edits however the stream was cut', () => {
    assertProperty(
      fc.property(cutStreams(stream, options), ({ bytes, cuts, settings, clean, relaxed }) => {
        const whole = decode([bytes], settings, clean, relaxed);
        for (const chunks of cuts) expect(decode(chunks, settings, clean, relaxed)).toEqual(whole);
      }),
      400,
    );
  });

  it('delivers the same when it is relaxed, and sees all that decides', () => {
    assertProperty(
      fc.property(stream, options, fc.boolean(), (text, settings, clean) => {
        const bytes = [encodeUtf8(text)];
        const strict = decode(bytes, settings, clean, false);
        const relaxed = decode(bytes, settings, clean, true);
        expect(relaxed.text).toBe(strict.text);
        expect(relaxed.edits).toEqual(strict.edits);
        expect(relaxed.count).toBe(strict.count);
        const decisive = ({ events }: Seen): unknown[] =>
          withoutRuns(
            events.filter(({ type }) => DECISIVE.has(type)),
            isRun,
          );
        expect(decisive(relaxed)).toEqual(decisive(strict));
      }),
      400,
    );
  });

  it('relays a stream without faults byte for byte', () => {
    const plain = fc
      .array(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('error', '[DONE]', '"usage":{', '\n\n', '\u2028')),
        { minLength: 1 },
      )
      .map((texts) =>
        texts.map((content) => ({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
      );
    assertProperty(
      fc.property(
        plain,
        fc.array(fc.nat()),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        (chunks, cuts, relaxed, end) => {
          const last = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
          const lines = [...chunks, last].map((value) => JSON.stringify(value));
          const text = [...lines, '[DONE]'].map((line) => `data: ${line}${end}${end}`).join('');
          const settings: DecoderOptions = {
            usageAsked: false,
            choices: 1,
            renameModel: null,
            onMalformed: 'fail',
            maxFrameBytes: 1 << 20,
          };
          const bytes = encodeUtf8(text);
          const seen = decode(cutAt(bytes, cuts), settings, true, relaxed);
          expect(seen.text).toBe(decodeUtf8(bytes));
          expect(seen.edits).toEqual([]);
          expect(seen.events.filter(({ type }) => type === 'finish' || type === 'done')).toHaveLength(2);
        },
      ),
      200,
    );
  });
});
