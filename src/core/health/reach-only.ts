import type { Outcome } from '../failure/outcome.ts';
import type { Observation } from './observation.ts';

/** Ends by which nothing but the endpoint is known to be out of reach. */
const UNREACHABLE: ReadonlySet<Outcome> = new Set(['connect_error', 'timeout_connect']);

/**
 * What is left of an observation where the request asked nothing of a model: that its endpoint can't be reached. All
 * else, be it a refused key or a success, is said of another service behind the same address, and leaves no trace.
 */
export function reachOnly<T extends Pick<Observation, 'kind' | 'failure'>>(seen: T): T {
  const isOutage = seen.kind === 'failure' && seen.failure !== null && UNREACHABLE.has(seen.failure.outcome);
  return isOutage ? seen : { ...seen, kind: 'released', failure: null };
}
