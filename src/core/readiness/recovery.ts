import { availability, trialSlot } from '../health/availability-of.ts';
import { credentialId, scopeId, scopeOf } from '../health/scope.ts';
import type { HealthState } from '../health/state.ts';
import type { Route } from '../routing/candidate.ts';

/** When a route that is out is to be asked, so that no client pays for finding out. */
export type Recovery = {
  readonly at: number;
  /** The same while one thing stands against it: for each of them it is asked once. */
  readonly opening: string;
  /** Of those with the same word here, one is asked at a time. */
  readonly group: string;
  /** It was limited: what a probe takes of its allowance clients lack, so it is for them where they have nothing else. */
  readonly isScarce: boolean;
};

/**
 * The next recovery probe of a route: when its hold or circuit ends; so long before a slow demotion ends that even a slow
 * answer is there by then. Null: nothing stands against it, or nothing that a small probe could clear up.
 */
export function recoveryOf(state: HealthState, route: Route, limitMs: number, now: number): Recovery | null {
  const seen = availability(state, route, now);
  // A route that has shown no text needs more room for it than a recovery probe may take.
  if (seen.cause === 'empty_completion') return null;
  const opening = `${seen.scope} ${seen.since}`;
  const { until, since } = seen;
  if (seen.state === 'slow') {
    const lead = Math.min(limitMs, ((until ?? now) - (since ?? now)) / 2);
    return { at: (until ?? now) - lead, opening, group: credentialId(route), isScarce: false };
  }
  if (seen.state === 'deferred' || seen.state === 'rejected') {
    const isScarce = seen.state === 'deferred' && seen.cause === 'rate_limited';
    return { at: until ?? now, opening, group: credentialId(route), isScarce };
  }
  const kind = { group: `${seen.scope} ${scopeId(seen.scope, route)}`, isScarce: false };
  if (seen.state === 'open') return { at: until ?? now, opening, ...kind };
  return seen.state === 'half_open' && awaitsTrial(state, route, now) ? { at: now, opening, ...kind } : null;
}

/** Nobody has made the trial of the open circuit yet; behind it, more requests are let in without our help. */
function awaitsTrial(state: HealthState, route: Route, now: number): boolean {
  const isOnRamp = (['route', 'endpoint'] as const).some(
    (kind) => (scopeOf(state, kind, route).circuit.open?.rung ?? 0) > 0,
  );
  return !isOnRamp && trialSlot(state, route, now) === 'free';
}
