import type { Failure, HoldKind } from '../failure/failure.ts';
import { isLimited } from '../failure/is-limited.ts';

/**
 * A failure as it counts for a route that was only probed. What opens a circuit opens it at once, which is not said here.
 * What keeps a route out of service by a hold does so; and what touches nobody when a client asks is a route that did not
 * answer the smallest question there is: deferred where the same may pass a moment later, else rejected until its recheck.
 */
export function asProbed(failure: Failure): Failure {
  const { component, weight, hold, toldDelayMs } = failure;
  if (component === 'gateway' || component === 'deadline' || weight > 0) return failure;
  if (hold !== null && (hold !== 'told_only' || toldDelayMs !== null)) return failure;
  return { ...failure, scope: 'route', hold: guessOf(failure) };
}

const guessOf = (failure: Failure): HoldKind =>
  failure.outcome === 'model_unavailable' || isLimited(failure) ? 'rate_limited' : 'permission';
