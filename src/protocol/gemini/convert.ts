import type { CanonicalEvent, Frame } from '../../core/model/event.ts';
import { EMPTY, encodeUtf8, stringifyExact } from '../json/index.ts';
import { createFrameReader, parseObject } from '../shared/json-object.ts';
import type { DecoderOptions } from '../types.ts';
import { ResponseBuilder } from './assemble.ts';
import { frameOf, textFrame } from './emit.ts';
import { decodeResponse } from './response.ts';

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
  const readFrames = createFrameReader((data) => {
    const chunk = parseObject(data);
    if (chunk !== null) builder.add(chunk);
  });
  for (const frame of frames) readFrames(frame);
  return encodeUtf8(stringifyExact(builder.build()));
}
