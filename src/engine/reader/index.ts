import { FailureReader } from './failure-reader.ts';
import { JsonReader } from './json-reader.ts';
import { StreamAsJsonReader, StreamReader } from './stream-reader.ts';
import type { AnswerReader, ReaderInput } from './types.ts';

export type { AnswerReader, AnswerSink, BodyKind, ReaderEnd, ReaderInput } from './types.ts';

const BRACE = 0x7b;
const BRACKET = 0x5b;

/** First letters of `data`, `event`, `id`, `retry`, `error`, and a comment. */
const STREAM_STARTS: ReadonlySet<number> = new Set([0x64, 0x65, 0x69, 0x72, 0x3a]);

/** A byte order mark may stand before either. */
const MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

/**
 * Which reader an answer needs. The status decides, then the first byte that is no blank: content types lie, bytes
 * don't. Null while there is no such byte.
 */
export function chooseReader(input: ReaderInput, firstChunk: Uint8Array | null): AnswerReader | null {
  if (input.status < 200 || input.status >= 300) return new FailureReader(input);
  const first = firstChunk?.find((byte) => byte > 0x20 && !MARK.has(byte));
  if (first === undefined) return null;
  if (first === BRACE || first === BRACKET) return new JsonReader(input);
  if (!STREAM_STARTS.has(first)) return new FailureReader(input);
  return input.wantsStream ? new StreamReader(input) : new StreamAsJsonReader(input);
}
