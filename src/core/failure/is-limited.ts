import type { Outcome } from './outcome.ts';

/** A server that was asked too often says so by the status, whatever more its answer told of the cause. */
const TOO_MANY_REQUESTS = 429;

/** Whether an attempt ended because its server was asked too often: nothing is wrong with the route. */
export const isLimited = ({
  outcome,
  status,
}: {
  readonly outcome: Outcome | null;
  readonly status: number | null;
}): boolean => outcome === 'rate_limited' || status === TOO_MANY_REQUESTS;
