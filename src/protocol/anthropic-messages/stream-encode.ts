import type { AnswerEvent } from '../../core/model/answer.ts';
import { encodeUtf8, stringifyExact } from '../json/index.ts';
import type { AnswerEncoder, AnswerOptions } from '../translation.ts';
import { AnswerWriter } from './answer-writer.ts';
import { eventText } from './emit.ts';

/** An answer as server-sent events; see `AnswerEncoder`. */
export function createAnswerEncoder(options: AnswerOptions): AnswerEncoder {
  const writer = new AnswerWriter(options);
  return {
    push: (events: readonly AnswerEvent[]): Uint8Array =>
      encodeUtf8(
        writer
          .write(events)
          .map((event) => eventText(event.type, stringifyExact(event)))
          .join(''),
      ),
  };
}
