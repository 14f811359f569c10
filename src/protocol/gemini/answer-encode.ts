import type { AnswerEvent } from '../../core/model/answer.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { encodeUtf8, stringifyExact } from '../json/index.ts';
import type { AnswerOptions } from '../translation.ts';
import { joinParts, PartFlow } from './part-flow.ts';

/** A JSON answer; one that has not ended is told as it stands. */
export function writeAnswer(events: readonly AnswerEvent[], options: AnswerOptions): Uint8Array {
  const flow = new PartFlow();
  const due = flow.push(events);
  const { candidates, usage } = flow.lasts();
  const all = candidates.map(({ index, ...rest }) => {
    const parts = joinParts(due.filter(({ choice }) => choice === index).map(({ part }) => part));
    return { content: contentOf(parts), ...rest, index };
  });
  return encodeUtf8(
    stringifyExact({ candidates: all, ...tailOf(usage, options.model, flow.start?.id ?? options.createId('')) }),
  );
}

/** Client libraries throw away the history of an answer whose content has no part. */
export const contentOf = (parts: readonly JsonObject[]): JsonObject => ({
  role: 'model',
  parts: parts.length === 0 ? [{ text: '' }] : parts,
});

/** Members that stand behind the candidates of each chunk. */
export const tailOf = (usage: object | null, model: string, responseId: string): object => ({
  ...(usage === null ? {} : { usageMetadata: usage }),
  modelVersion: model,
  responseId,
});
