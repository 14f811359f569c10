import type { AnswerEvent } from '../../core/model/answer.ts';
import { decodeUtf8 } from '../json/index.ts';
import type { AnswerDecoder } from '../translation.ts';
import { AnswerReader } from './answer-reader.ts';
import { parseChunk, readChunks } from './convert.ts';

/** Frames as `StreamDecoder` gave them, as events. */
export function createAnswerDecoder(): AnswerDecoder {
  const reader = new AnswerReader();
  return {
    push(bytes) {
      const events: AnswerEvent[] = [];
      readChunks([bytes], (chunk) => {
        for (const event of reader.take(chunk)) events.push(event);
      });
      return events;
    },
    end: () => reader.end(),
  };
}

/** A JSON answer that `decodeResponse` found good: it has the form of a chunk. */
export function readAnswer(body: Uint8Array): readonly AnswerEvent[] {
  const reader = new AnswerReader();
  const chunk = parseChunk(decodeUtf8(body));
  return [...(chunk === null ? [] : reader.take(chunk)), ...reader.end()];
}
