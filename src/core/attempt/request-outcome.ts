import type { StopCause } from '../failure/answer-class.ts';
import { isDeadline, type Outcome } from '../failure/outcome.ts';
import type { AttemptRecord } from './ledger.ts';

/** The outcome of a request that nobody served: it is called by what decided its answer (`reason` of the error). */
export function requestOutcome(attempts: readonly AttemptRecord[], why: StopCause, reason: string): Outcome {
  if (isDeadline(why) || why === 'outcome_unknown') return why;
  const deciding = attempts.findLast(({ outcome }) => outcome === reason) ?? attempts.at(-1);
  return deciding?.outcome ?? 'rejected';
}
