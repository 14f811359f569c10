import type { CanonicalEvent } from '../../core/model/event.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import { isObject, nonEmpty, own } from '../shared/value.ts';
import { errorOf, isFilled } from '../shared/wire-error.ts';
import type { WireEvent, WireResponse } from './types.ts';

type End = Extract<CanonicalEvent, { type: 'finish' | 'error' }>;

/** The last events of an answer, and the status that each stands for. */
const TERMINALS: Readonly<Record<string, string>> = {
  'response.completed': 'completed',
  'response.done': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
  'response.cancelled': 'cancelled',
};

/** Reasons for which an incomplete response is an answer all the same; for any other the provider has failed. */
const INCOMPLETE: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  content_filter: 'content_filter',
};

export const isTerminal = (type: string): boolean => own(TERMINALS, type) !== undefined;

/** How this event ends the answer; null: it does not. The response's own status stands above the event's name. */
export function readFinish(
  type: string,
  event: WireEvent,
  response: WireResponse | null,
  hasCalls: boolean,
): End | null {
  const named = own(TERMINALS, type);
  if (named === undefined) return null;
  const told = response?.status;
  const status =
    named === 'completed' && (told === 'failed' || told === 'incomplete' || told === 'cancelled') ? told : named;
  return endOf(status, response ?? {}, hasCalls) ?? { type: 'error', error: errorOf(event) };
}

/** How a response of this status ended; null: by a failure of which only its surroundings can tell. */
export function endOf(status: string, response: WireResponse, hasCalls: boolean): End | null {
  if (isFilled(response.error)) return { type: 'error', error: errorOf({ error: response.error }) };
  if (status === 'completed') return { type: 'finish', reason: hasCalls ? 'tool_calls' : 'stop', raw: status };
  if (status !== 'incomplete') return null;
  const details = isObject<{ reason?: unknown }>(response.incomplete_details) ? response.incomplete_details : {};
  const raw = nonEmpty(details.reason);
  const reason = own(INCOMPLETE, raw);
  if (reason !== undefined) return { type: 'finish', reason, raw };
  const message = `The response is incomplete${raw === null ? '' : `: ${raw}`}.`;
  return { type: 'error', error: { status: null, code: raw, type: null, param: null, message } };
}

/** How an answer of each kind ends. */
export type Ending = { readonly status: 'completed' | 'incomplete' | 'failed'; readonly reason: string | null };

const COMPLETED: Ending = { status: 'completed', reason: null };
const FILTERED: Ending = { status: 'incomplete', reason: 'content_filter' };

const ENDINGS: Readonly<Record<FinishReason, Ending>> = {
  stop: COMPLETED,
  tool_calls: COMPLETED,
  length: { status: 'incomplete', reason: 'max_output_tokens' },
  content_filter: FILTERED,
  // A refusal in words is an answer; without them only the filter says why there is none.
  refusal: FILTERED,
  bad_generation: COMPLETED,
  error: { status: 'failed', reason: null },
  unknown: COMPLETED,
};

export const writeFinish = (reason: FinishReason, hasRefusal: boolean): Ending =>
  reason === 'refusal' && hasRefusal ? COMPLETED : ENDINGS[reason];
