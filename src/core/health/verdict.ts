import type { Failure } from '../failure/failure.ts';
import { isLimited } from '../failure/is-limited.ts';
import { DEADLINES, isAttemptTimeout, type Outcome } from '../failure/outcome.ts';
import type { Observation } from './observation.ts';

/** Ends that say nothing about whether the route works again: a trial that ends so hands its slot on. */
const NO_VERDICT: ReadonlySet<Outcome> = new Set<Outcome>([
  'bad_request',
  'empty_completion',
  'hedge_lost',
  'client_closed',
  'stale_socket',
  ...DEADLINES,
  'outcome_unknown',
  'abandoned',
]);

/** A limit of the attempt, which makes a route slow. Those of the request blame nobody. */
export function isSilence(failure: Failure): boolean {
  return isAttemptTimeout(failure.outcome);
}

/**
 * Silence that says: the next request will wait long too. An answer that stalled behind its first output counts against
 * the circuit like any other, but its route was quick to speak.
 */
export function isSlowness(failure: Failure): boolean {
  return isSilence(failure) && failure.outcome !== 'timeout_progress';
}

/**
 * A limit that was shortened by the client, or by what was left of the request, to less than half of the model's own.
 */
export function isShortened(observation: Observation): boolean {
  const { failure, limitMs, ownLimitMs } = observation;
  return failure !== null && isSilence(failure) && limitMs !== null && ownLimitMs !== null && limitMs * 2 < ownLimitMs;
}

export type Verdict = 'failed' | 'answered' | 'released';

/**
 * What a failure says about the circuit of its route or endpoint. Endpoints fail by what no answer came from; a route
 * fails by that too, so that the only route of an endpoint is not left open to every request.
 */
export function verdictOn(kind: 'route' | 'endpoint', observation: Observation, failure: Failure): Verdict {
  if (failure.component === 'gateway' || failure.component === 'deadline') return 'released';
  if (isShortened(observation) || isHalfEmpty(failure)) return 'released';
  if (failure.weight > 0) return blames(kind, failure) ? 'failed' : 'answered';
  return NO_VERDICT.has(failure.outcome) || isLimited(failure) ? 'released' : 'answered';
}

/** An emptiness counts once somebody else has answered; one that was asked again, with more room, counts whole. */
const isHalfEmpty = ({ outcome, weight }: Failure): boolean => outcome === 'empty_completion' && weight < 1;

function blames(kind: 'route' | 'endpoint', failure: Failure): boolean {
  if (kind === 'endpoint') return failure.scope === 'endpoint' || isSilence(failure);
  return failure.scope === 'route' || failure.scope === 'endpoint';
}

/**
 * What the same again would cost its client, ms. Of a timeout the limit, since a stream may have run well for long
 * before it fell silent; of a refusal the attempt's length; an answer that broke after it had begun tells nothing of
 * it.
 */
export function costOf(observation: Observation, failure: Failure): number {
  const length = Math.max(0, observation.at - observation.startedAt);
  if (isSilence(failure)) return observation.limitMs === null ? length : Math.min(length, observation.limitMs);
  const isRefused = failure.outcome === 'connect_error' || (failure.status !== null && failure.status >= 400);
  return isRefused ? length : 0;
}
