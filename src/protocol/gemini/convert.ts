import type { CanonicalEvent, Frame } from '../../core/model/event.ts';
import { decodeUtf8, EMPTY, encodeUtf8, parseExact, stringifyExact } from '../json/index.ts';
import { blockStart, createFrameSplitter, readBlock } from '../sse/index.ts';
import type { DecoderOptions } from '../types.ts';
import { ResponseBuilder } from './assemble.ts';
import { frameOf, textFrame } from './emit.ts';
import { decodeResponse } from './response.ts';
import { isObject, type WireChunk } from './types.ts';

/** A JSON answer as a stream: a whole answer has the form of a chunk, so that one frame is all of it. */
export function streamFromResponse(
  body: Uint8Array,
  options: Pick<DecoderOptions, 'usageAsked' | 'renameModel'>,
): readonly Frame[] {
  const decoded = decodeResponse(body, options);
  const edits = [...decoded.edits, 'converted_to_stream'] as const;
  const usage: readonly CanonicalEvent[] = decoded.usage === null ? [] : [{ type: 'usage', usage: decoded.usage }];
  const finish = decoded.events.filter(({ type }) => type === 'finish');
  const content = decoded.events.filter(({ type }) => type !== 'finish');
  if (finish.length === 0) return [frameOf(EMPTY, decoded.events)];
  const hasCalls = content.some(({ type }) => type === 'tool_call');
  const end: readonly CanonicalEvent[] = hasCalls ? [{ type: 'tool_end', terminal: true }] : [];
  return [
    frameOf(textFrame(decoded.body), [...usage, ...content, ...end, ...finish], edits),
    frameOf(EMPTY, [{ type: 'done' }], [], 0),
  ];
}

/** A whole stream, as the decoder gave it, as one JSON answer. */
export function responseFromStream(frames: readonly Uint8Array[]): Uint8Array {
  const builder = new ResponseBuilder();
  readChunks(frames, (chunk) => builder.add(chunk));
  return encodeUtf8(stringifyExact(builder.build()));
}

/** The objects of all data frames in order; numbers as they were written (`parseExact`). */
export function readChunks(frames: readonly Uint8Array[], take: (chunk: WireChunk) => void): void {
  const splitter = createFrameSplitter(Number.MAX_SAFE_INTEGER);
  for (const frame of frames) {
    splitter.push(frame, (bytes, start, end) => {
      const { data } = readBlock(bytes, blockStart(bytes, start, end), end);
      const chunk = parseChunk(data.map((span) => decodeUtf8(bytes.subarray(span.start, span.end))).join('\n'));
      if (chunk !== null) take(chunk);
    });
  }
}

/** Null for a text that is no JSON object. */
export function parseChunk(text: string): WireChunk | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value = parseExact(text);
    return isObject<WireChunk>(value) ? value : null;
  } catch {
    return null;
  }
}
