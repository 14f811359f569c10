import { concatBytes } from '../json/index.ts';
import type { AnswerEncoder, AnswerOptions } from '../translation.ts';
import { AnswerSequence } from './answer-sequence.ts';
import { eventBytes } from './emit.ts';

/** An answer as server-sent events. The last of them is the end of the response; no mark follows. */
export function createAnswerEncoder(options: AnswerOptions): AnswerEncoder {
  const sequence = new AnswerSequence(options);
  return {
    push: (events) => concatBytes(sequence.push(events).map(eventBytes)),
    get sequence() {
      return sequence.lastNumber;
    },
    get answerId() {
      return sequence.answerId;
    },
  };
}
