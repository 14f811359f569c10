import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { gemini as codec } from '../../src/protocol/gemini/index.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import type { DecoderOptions } from '../../src/protocol/types.ts';
import { assertProperty } from '../kit/assert-property.ts';
import { DECODER_OPTIONS } from '../kit/decoder-run.ts';
import { call, chunk, data, said, stop, thought } from '../kit/gemini-stream.ts';
import { cutStreams } from './cuts.ts';

const words = fc.string({ unit: 'binary', maxLength: 6 });
const frame = fc.oneof(
  { weight: 4, arbitrary: words.map((text) => said(text)) },
  words.map((text) => thought(text)),
  fc.constantFrom<unknown>({}, '{}', '', undefined, 'x').map((args) => call('f', args)),
  fc.constantFrom('STOP', 'SAFETY', 'MALFORMED_FUNCTION_CALL', 'OTHER', '', 'NOVEL').map((word) => stop(word)),
  fc.constantFrom(
    chunk([{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(90) } }]),
    chunk([null, {}, { novel: 1 }], { index: 1 }),
    data({ candidates: [null, 5] }),
    data({ promptFeedback: { blockReason: 'OTHER' } }),
    data({ error: { code: 503, message: 'm', status: 'UNAVAILABLE' } }),
    data([{ error: { code: 500, message: 'm' } }]),
    ': comment\n\n',
    '\n\n',
    'data: [DONE]\n\n',
    'data: {"candidates":[{\n\n',
    'event: error\ndata: x\n\n',
    'data: {"candidates":\ndata: []}\n\n',
    said('x').replaceAll('\n', '\r\n'),
    '\ufeff',
    'data: {"cand',
  ),
);
const streams = fc.array(frame, { maxLength: 8 }).map((frames) => frames.join(''));
const options: fc.Arbitrary<DecoderOptions> = fc.record({
  usageAsked: fc.boolean(),
  choices: fc.constantFrom(1, 2),
  renameModel: fc.constantFrom(null, 'v'),
  onMalformed: fc.constantFrom('fail' as const, 'drop' as const),
  maxFrameBytes: fc.constantFrom(DECODER_OPTIONS.maxFrameBytes, 128),
});

it('gives the same out, however the bytes were cut', () => {
  const run = (pieces: readonly Uint8Array[], settings: DecoderOptions, clean: boolean, relaxed: boolean) => {
    const decoder = codec.createStreamDecoder(settings);
    if (relaxed) decoder.relax();
    const frames = pieces.flatMap((piece) => decoder.push(piece));
    frames.push(...decoder.end(clean));
    return {
      text: decodeUtf8(concatBytes(frames.map(({ bytes }) => bytes))),
      // How many blank lines come in one piece is the network's matter.
      events: frames.flatMap(({ events }) => events.filter(({ type }) => type !== 'comment')),
      edits: frames.flatMap(({ edits }) => edits),
      usage: decoder.usage(),
    };
  };
  assertProperty(
    fc.property(cutStreams(streams, options), ({ bytes, cuts, settings, clean, relaxed }) => {
      const whole = run([bytes], settings, clean, relaxed);
      for (const pieces of cuts) expect(run(pieces, settings, clean, relaxed)).toEqual(whole);
    }),
    150,
  );
});

it('converts whatever it takes, and takes whatever comes', () => {
  assertProperty(
    fc.property(fc.oneof(streams, fc.json()), (text) => {
      const decoder = codec.createStreamDecoder(DECODER_OPTIONS);
      const frames = [...decoder.push(encodeUtf8(text)), ...decoder.end(true)].map(({ bytes }) => bytes);
      const body = codec.responseFromStream(frames);
      const decoded = codec.decodeResponse(body, { renameModel: null, choices: 1 });
      expect(decoded.events.some(({ type }) => type === 'malformed')).toBe(false);
      const again = codec.streamFromResponse(body, { usageAsked: true, renameModel: null });
      if (decoded.events.some(({ type }) => type === 'finish')) {
        expect(JSON.parse(decodeUtf8(codec.responseFromStream(again.map(({ bytes }) => bytes))))).toEqual(
          JSON.parse(decodeUtf8(body)),
        );
      }
      codec.decodeRequest(encodeUtf8(text), { ':path': '/v1beta/models/m:generateContent' });
    }),
    100,
  );
});
