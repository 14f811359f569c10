import type { Outcome } from '../failure/outcome.ts';
import type { CanonicalEvent } from '../model/event.ts';
import type { Usage } from '../model/usage.ts';
import { completeOutcome, type StreamCause, stepStream } from './machine.ts';
import { START, type StreamPolicy } from './phase.ts';

export type Judgement =
  | { readonly isAnswer: true; readonly outcome: Outcome }
  | { readonly isAnswer: false; readonly cause: StreamCause };

const NO_BYTES = new Uint8Array(0);

/**
 * Judges a whole answer (JSON, or a stream that was collected for a JSON client) by the same table as a stream. Its
 * syntax has proved that it is not cut, so output without a finish reason is an answer.
 */
export function judgeWhole(events: readonly CanonicalEvent[], usage: Usage | null, policy: StreamPolicy): Judgement {
  if (events.length === 0) return { isAnswer: false, cause: { kind: 'fault', fault: 'no_answer' } };
  const frame = { bytes: NO_BYTES, events, edits: [], count: 1 };
  const first = stepStream(START, { type: 'frame', frame, usage }, policy);
  if (first.cause !== null) return { isAnswer: false, cause: first.cause };
  if (first.state.hasOutput) return { isAnswer: true, outcome: completeOutcome(first.state) };
  const last = stepStream(first.state, { type: 'end', usage }, policy);
  return last.cause === null
    ? { isAnswer: true, outcome: completeOutcome(last.state) }
    : { isAnswer: false, cause: last.cause };
}
