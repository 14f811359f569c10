import type { Outcome } from '../failure/outcome.ts';
import type { Feature } from '../model/capability.ts';
import type { Observation } from './observation.ts';

/** Ends by which nothing but the endpoint is known to be out of reach. */
const UNREACHABLE: ReadonlySet<Outcome> = new Set(['connect_error', 'timeout_connect']);

/** What such a request may ask for itself, and a target may not have. */
const OWN_FEATURES: ReadonlySet<string | null> = new Set(['countTokens'] satisfies Feature[]);

/**
 * What is left of an observation where the request asked nothing of a model: that its endpoint can't be reached, and
 * that it does not have what was asked for, which is then learnt of its target. All else, be it a refused key or a
 * success, is said of another service behind the same address, and leaves no trace.
 */
export function reachOnly<T extends Pick<Observation, 'kind' | 'failure'>>(seen: T): T {
  const { kind, failure } = seen;
  if (kind === 'failure' && failure !== null && UNREACHABLE.has(failure.outcome)) return seen;
  const isLesson = failure !== null && OWN_FEATURES.has(failure.feature);
  return { ...seen, kind: 'released', failure: isLesson ? failure : null };
}
