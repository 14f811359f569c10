import type { AnswerEvent } from '../../core/model/answer.ts';
import { createFrameReader, parseObject, readObject } from '../shared/json-object.ts';
import type { AnswerDecoder } from '../translation.ts';
import { AnswerReader } from './answer-reader.ts';

/** See `AnswerDecoder`. */
export function createAnswerDecoder(): AnswerDecoder {
  const reader = new AnswerReader();
  const readFrames = createFrameReader((data, name) => {
    const event = parseObject(data);
    if (event !== null) reader.read(event, name);
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

/** A JSON answer as events. */
export function readAnswer(body: Uint8Array): readonly AnswerEvent[] {
  const reader = new AnswerReader();
  reader.readWhole(readObject(body) ?? {});
  reader.end();
  return reader.take();
}
