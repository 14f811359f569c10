import type { CanonicalEvent, RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import { applyEdits, concatBytes, mendEdits } from '../json/index.ts';
import type { MendList } from '../shared/mend-list.ts';
import { parseAnswer } from '../shared/parse-answer.ts';
import { isObject, nonEmpty } from '../shared/value.ts';
import { errorOf, isFilled, looksLikeError } from '../shared/wire-error.ts';
import type { DecodedResponse, DecoderOptions } from '../types.ts';
import { endOf } from './finish.ts';
import { isClientCall, readItem } from './items.ts';
import { mendModel, mendOutput } from './mends.ts';
import { sealsIn } from './seal.ts';
import type { WireItem, WireResponse } from './types.ts';
import { readUsage } from './usage.ts';

/** As deep as the deepest mend: output, item, its members. */
const MEND_DEPTH = 3;

type ResponseOptions = Pick<DecoderOptions, 'renameModel' | 'background'>;

/**
 * A JSON answer, judged whole. Events come as a stream would give them, with one `finish` at the end. An object that is
 * no response has no events; text that is no JSON object, or one beyond `ANSWER_LIMITS`, is `malformed`. A byte
 * order mark is left out.
 */
export function decodeResponse(body: Uint8Array, options: ResponseOptions): DecodedResponse {
  const { json, edits: before, parsed } = parseAnswer(body, MEND_DEPTH);
  const value = parsed?.value;
  // Some gateways wrap an error object into a list of one.
  const answer = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (parsed === null || !isObject<WireResponse>(answer)) return judged(json, [{ type: 'malformed' }], null, before);
  const usage = readUsage(answer.usage);
  const id = nonEmpty(answer.id);
  if (isError(answer)) return judged(json, [{ type: 'error', error: errorOf(answer) }], usage, before, id);
  if (answer !== value) return judged(json, [{ type: 'malformed' }], null, before);
  const out: MendList = { mends: [], edits: new Set(before) };
  const items: readonly unknown[] = Array.isArray(answer.output) ? answer.output : [];
  mendOutput(items, ['output'], id, out);
  mendModel(answer, [], options.renameModel, out);
  const mended = out.mends.length === 0 ? json : concatBytes(applyEdits(json, mendEdits(parsed.index, out.mends)));
  const judgement = judged(mended, readEvents(answer, items, options.background === true), usage, [...out.edits], id);
  return { ...judgement, seals: sealsIn(items), servedModel: nonEmpty(answer.model) };
}

const judged = (
  body: Uint8Array,
  events: readonly CanonicalEvent[],
  usage: Usage | null,
  edits: readonly RelayEdit[] = [],
  answerId: string | null = null,
): DecodedResponse => ({ events, usage, body, edits, answerId });

const isError = (answer: WireResponse): boolean =>
  isFilled(answer.error) || (!Array.isArray(answer.output) && answer.object !== 'response' && looksLikeError(answer));

function readEvents(answer: WireResponse, items: readonly unknown[], background: boolean): CanonicalEvent[] {
  const events: CanonicalEvent[] = [];
  for (const item of items) readItem(item, true, events);
  // A conversation in sealed form is what was asked for, though nobody can read it.
  if (answer.object === 'response.compaction') return [...events, { type: 'unknown_content' }];
  const status = nonEmpty(answer.status) ?? (Array.isArray(answer.output) ? 'completed' : null);
  if (status === null) return [];
  if (status === 'queued' || status === 'in_progress') {
    // Whoever asked for work in the background has got a receipt, which is the answer to this request.
    return background
      ? [{ type: status }, { type: 'unknown_content' }]
      : [...events, { type: 'cut', reason: `the status of the response is ${status}` }];
  }
  const hasCalls = items.some((item) => isObject<WireItem>(item) && isClientCall(item));
  return [...events, endOf(status, answer, hasCalls) ?? { type: 'error', error: errorOf(answer) }];
}
