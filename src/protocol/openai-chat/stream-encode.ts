import { encodeUtf8, stringifyExact } from '../json/index.ts';
import type { AnswerEncoder, AnswerOptions } from '../translation.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { DONE } from './emit.ts';

/**
 * Writes an answer as server-sent events: a chunk for each piece, the role in the first of each choice, usage in a chunk
 * of its own where the client asked for it, and the end mark behind `end`.
 */
export function createAnswerEncoder(options: AnswerOptions): AnswerEncoder {
  const writer = new ChunkWriter(options);
  return {
    push(events) {
      const wasDone = writer.isDone;
      const frames = writer
        .push(events)
        .map((chunk) => `data: ${stringifyExact(chunk)}\n\n`)
        .join('');
      return encodeUtf8(writer.isDone && !wasDone ? frames + DONE : frames);
    },
  };
}
