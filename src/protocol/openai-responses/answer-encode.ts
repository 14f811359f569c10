import type { AnswerEvent } from '../../core/model/answer.ts';
import { encodeUtf8, stringifyExact } from '../json/index.ts';
import type { AnswerOptions } from '../translation.ts';
import { AnswerSequence } from './answer-sequence.ts';

/** A JSON answer: the response as the last event of its stream would show it, whether its end was told or not. */
export function writeAnswer(events: readonly AnswerEvent[], options: AnswerOptions): Uint8Array {
  const sequence = new AnswerSequence(options);
  const said = [...sequence.push(events), ...sequence.push([{ type: 'end' }])];
  return encodeUtf8(stringifyExact(said.at(-1)?.['response'] ?? {}));
}
