import type { Observation } from '../core/health/observation.ts';
import type { OperatorAction } from '../core/health/operator-action.ts';
import type { HealthState } from '../core/health/state.ts';
import type { Route } from '../core/routing/candidate.ts';

/**
 * Keeps what was learnt of routes. Reading is a snapshot that never changes under the reader; writing never waits, but
 * for the claim of a trial, which may have to ask other instances.
 */
export interface HealthStore {
  snapshot(): HealthState;
  observe(observation: Observation): void;
  /**
   * Takes the half-open slot (or a place of the ramp behind it) that an attempt on this route needs now. False: taken.
   */
  claimTrial(route: Route, now: number): boolean | Promise<boolean>;
  /** Operator's words: `disable`, `enable`, `reset` of a route, credential or endpoint by id. False: no such id. */
  operate(action: OperatorAction, id: string, now: number): boolean;
  /** Routes that exist now; health of others is dropped, of those whose identity changed starts afresh. */
  retain(routes: readonly Route[]): void;
  close(): Promise<void>;
}
