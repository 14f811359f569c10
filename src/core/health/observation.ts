import type { Failure } from '../failure/failure.ts';
import type { Route } from '../routing/candidate.ts';

/**
 * What one attempt taught about its route. A probe and a real request are the same observation.
 *
 * - `first_output`: the attempt has committed; it starts the ramp of a half-open circuit.
 * - `success`: it ended well. - `failure`: it ended with a classified failure.
 * - `slow`: the client gave up on silence, or a hedge overtook it.
 * - `released`: it ended without a verdict (client left, 429, bad request …): a trial hands its slot on. A failure that
 *   names a feature still teaches that the target does not have it.
 * - `another_answered`: the second half of an `empty_completion`: a later target did answer, so its ½ counts.
 */
export type Observation = {
  readonly kind: 'first_output' | 'success' | 'failure' | 'slow' | 'released' | 'another_answered';
  readonly route: Route;
  /** Epoch ms of the attempt's send and of this observation. */
  readonly startedAt: number;
  readonly at: number;
  readonly failure: Failure | null;
  /** Parts that the target had refused and this attempt went without (`provedParts`): a success proves it right. */
  readonly withoutParts?: readonly string[];
  /** Of a timeout: the limit that fired, and the model's own; a shortened one counts only if ≥ half of it. */
  readonly limitMs: number | null;
  readonly ownLimitMs: number | null;
  /** The attempt held the half-open slot of these scopes. */
  readonly trial: boolean;
  readonly probe: boolean;
  /** Same for all requests that are retries of one turn by one client: they count once per route. */
  readonly turn: string | null;
};
