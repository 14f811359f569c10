import type { AnswerEvent } from '../../core/model/answer.ts';
import { createFrameReader, parseObject, readObject } from '../shared/json-object.ts';
import type { AnswerDecoder } from '../translation.ts';
import { AnswerReader } from './answer-reader.ts';

/** Frames as `StreamDecoder` gave them, as events. */
export function createAnswerDecoder(): AnswerDecoder {
  const reader = new AnswerReader();
  const events: AnswerEvent[] = [];
  const readFrames = createFrameReader((data) => {
    const chunk = parseObject(data);
    if (chunk !== null) for (const event of reader.read(chunk)) events.push(event);
  });
  return {
    push(bytes) {
      readFrames(bytes);
      return events.splice(0);
    },
    end: () => reader.end(),
  };
}

/** A JSON answer that `decodeResponse` found good: it has the form of a chunk. */
export function readAnswer(body: Uint8Array): readonly AnswerEvent[] {
  const reader = new AnswerReader();
  const chunk = readObject(body);
  return [...(chunk === null ? [] : reader.read(chunk)), ...reader.end()];
}
