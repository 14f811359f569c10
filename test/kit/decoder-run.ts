import type { CanonicalEvent, Frame } from '../../src/core/model/event.ts';
import { decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import type { DecoderOptions, StreamDecoder } from '../../src/protocol/types.ts';

/** What nobody has asked to be otherwise. */
export const DECODER_OPTIONS: DecoderOptions = {
  usageAsked: true,
  choices: 1,
  renameModel: null,
  onMalformed: 'fail',
  maxFrameBytes: 1 << 22,
};

/** What a decoder has made of a stream. */
export type DecoderRun = {
  frames: readonly Frame[];
  text: string;
  /** Of the events; a finish with its reason. */
  types: string[];
  events: CanonicalEvent[];
  edits: string[];
};

/** Pushes the pieces, then the end; `clean`: the body ended as it must. */
export function runDecoder(decoder: StreamDecoder, stream: string | readonly string[], clean: boolean): DecoderRun {
  const frames = [stream].flat().flatMap((piece) => decoder.push(encodeUtf8(piece)));
  frames.push(...decoder.end(clean));
  return readFrames(frames);
}

export function readFrames(frames: readonly Frame[]): DecoderRun {
  const events = frames.flatMap((frame) => frame.events);
  return {
    frames,
    events,
    text: frames.map((frame) => decodeUtf8(frame.bytes)).join(''),
    types: events.map((event) => (event.type === 'finish' ? `finish:${event.reason}` : event.type)),
    edits: frames.flatMap((frame) => frame.edits),
  };
}
