import type { AnswerEvent } from '../../core/model/answer.ts';
import { createFrameReader, parseObject, readObject } from '../shared/json-object.ts';
import type { AnswerDecoder } from '../translation.ts';
import { AnswerReader } from './answer-reader.ts';

/** Frames, as `StreamDecoder` gave them, as events. The end mark says nothing that `end` does not. */
export function createAnswerDecoder(): AnswerDecoder {
  const reader = new AnswerReader();
  const readFrames = createFrameReader((data) => {
    const chunk = parseObject(data);
    if (chunk !== null) reader.read(chunk, 'delta');
  });
  return {
    push(bytes) {
      readFrames(bytes);
      return reader.take();
    },
    end() {
      reader.end();
      return reader.take();
    },
  };
}

/** A JSON answer that `decodeResponse` found good, as events. */
export function readAnswer(body: Uint8Array): readonly AnswerEvent[] {
  const reader = new AnswerReader();
  const value = readObject(body);
  if (value !== null) reader.read(value, 'message');
  reader.end();
  return reader.take();
}
