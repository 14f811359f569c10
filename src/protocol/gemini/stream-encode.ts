import type { JsonObject } from '../../core/model/json-value.ts';
import { concatBytes, EMPTY } from '../json/index.ts';
import type { AnswerEncoder, AnswerOptions } from '../translation.ts';
import { contentOf, tailOf } from './answer-encode.ts';
import { dataFrame } from './emit.ts';
import { type Due, joinParts, PartFlow } from './part-flow.ts';

/**
 * An answer as chunks. Calls are whole in one part; reasons and usage stand in the last chunk, which only the end of the
 * answer brings: a stream that was cut has no reason.
 */
export function createAnswerEncoder(options: AnswerOptions): AnswerEncoder {
  const flow = new PartFlow();
  /** The same in each chunk, also where the start comes late. */
  let id: string | null = null;
  let isDone = false;
  return {
    push(events) {
      if (isDone) return EMPTY;
      const due = flow.push(events);
      const tail = (usage: object | null): object => {
        id ??= flow.start?.id ?? options.createId('');
        return tailOf(usage, options.model, id);
      };
      const chunks = runsOf(due).map(({ choice, parts }) => ({
        candidates: [{ content: contentOf(joinParts(parts)), index: choice }],
        ...tail(null),
      }));
      if (!flow.isEnded) return frames(chunks);
      isDone = true;
      const { candidates, usage } = flow.lasts();
      const ended = candidates.map(({ index, ...rest }) => ({ content: contentOf([]), ...rest, index }));
      return frames([...chunks, { candidates: ended, ...tail(usage) }]);
    },
  };
}

const frames = (chunks: readonly object[]): Uint8Array =>
  chunks.length === 0 ? EMPTY : concatBytes(chunks.map(dataFrame));

/** Parts of one candidate that stand one behind the other are one chunk. */
function runsOf(due: readonly Due[]): { readonly choice: number; readonly parts: JsonObject[] }[] {
  const runs: { readonly choice: number; readonly parts: JsonObject[] }[] = [];
  for (const { choice, part } of due) {
    const run = runs.at(-1);
    if (run?.choice === choice) run.parts.push(part);
    else runs.push({ choice, parts: [part] });
  }
  return runs;
}
