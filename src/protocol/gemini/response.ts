import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { applyEdits, concatBytes, mendEdits } from '../json/index.ts';
import type { MendList } from '../shared/mend-list.ts';
import { parseAnswer } from '../shared/parse-answer.ts';
import type { DecodedResponse, DecoderOptions } from '../types.ts';
import { finishEvents, inspectChunk, startAnswer } from './inspect.ts';
import { MEND_DEPTH, renameIn } from './stream-decode.ts';
import { isObject, nonEmpty, type WireChunk } from './types.ts';
import { readUsage } from './usage.ts';

export type ResponseOptions = Pick<DecoderOptions, 'renameModel'> & Partial<Pick<DecoderOptions, 'choices'>>;

/**
 * A JSON answer, judged whole. Events come as a stream would give them, with one `finish` at the end. An answer without
 * candidates whose prompt was not blocked has no events; text that is no JSON object, or one beyond the limits, is
 * `malformed`. A byte order mark is left out.
 */
export function decodeResponse(body: Uint8Array, { renameModel, choices = 1 }: ResponseOptions): DecodedResponse {
  const { json, edits: before, parsed: found } = parseAnswer(body, MEND_DEPTH);
  const value = found?.value;
  // Errors come as a list of one where a stream without `alt=sse` was asked for.
  const answer: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (found === null || !isObject<WireChunk>(answer)) return judged(json, [{ type: 'malformed' }], null, before);
  const out: MendList = { mends: [], edits: new Set(before) };
  const state = startAnswer(choices);
  const said = inspectChunk(answer, state, out);
  const usage = readUsage(answer.usageMetadata);
  const last = said.at(-1);
  if (last?.type === 'error') return judged(json, [last], usage, before);
  if (answer !== value || last?.type === 'malformed') return judged(json, [{ type: 'malformed' }], null, before);
  renameIn(answer, renameModel, out);
  const mended = out.mends.length === 0 ? json : concatBytes(applyEdits(json, mendEdits(found.index, out.mends)));
  const finish = state.isFinished ? [] : finishEvents(state);
  const events = state.candidates.size === 0 ? [] : [...said.filter(isContent), ...finish];
  const { responseId, modelVersion } = answer;
  const told = { answerId: nonEmpty(responseId), servedModel: nonEmpty(modelVersion) };
  return { ...judged(mended, events, usage, [...out.edits]), ...told };
}

/** A whole answer has no use for what only tells how a stream goes on. */
const isContent = ({ type }: CanonicalEvent): boolean => type !== 'usage' && type !== 'tool_end';

const judged = (
  body: Uint8Array,
  events: readonly CanonicalEvent[],
  usage: Usage | null,
  edits: readonly RelayEdit[] = [],
): DecodedResponse => ({ events, usage, body, edits });
