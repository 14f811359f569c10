import { hideEcho } from '../redact/index.ts';
import { classify } from './classify.ts';
import type { Failure } from './failure.ts';
import { MAX_MESSAGE } from './phrase.ts';
import type { FailureSignal } from './signal.ts';
import type { ClassifierRow } from './table.ts';

/** What nobody is told of: the request goes on as the table says, and no other request hears of it. */
const NO_TRACE = { scope: 'none', hold: null, weight: 0, toldDelayMs: null, feature: null } as const;

const leavesTrace = ({ hold, weight, feature }: Failure): boolean => hold !== null || weight > 0 || feature !== null;

/**
 * `classify`, for a provider that may repeat its caller. Where only words that stand in the request made the failure what
 * it is, the client may have written them: then it leaves no trace, on holds, circuits and what is known of a target. It
 * may still be true (people paste error messages into prompts), so the request itself goes on by it. `request` gives the
 * request's text, white space folded.
 */
export function classifyDoubting(
  signal: FailureSignal,
  rows: readonly ClassifierRow[],
  request: () => string,
): Failure {
  const failure = classify(signal, rows);
  const { error } = signal;
  if (error === null || error.message === '' || !leavesTrace(failure)) return failure;
  const isTheSameFrom = (message: string): boolean => {
    const { row, feature } = classify({ ...signal, error: { ...error, message } }, rows);
    return row === failure.row && feature === failure.feature;
  };
  // Mostly a status or a code says it all: a request may be long, and is not searched for nothing.
  if (isTheSameFrom('')) return failure;
  const said = error.message.slice(0, MAX_MESSAGE).replace(/\s+/g, ' ');
  if (isTheSameFrom(hideEcho(said, request))) return failure;
  return { ...failure, ...NO_TRACE, ...(failure.feature === null ? {} : { refusedValue: failure.feature }) };
}
