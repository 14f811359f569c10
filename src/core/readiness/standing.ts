import type { Availability } from '../health/availability.ts';
import { availability } from '../health/availability-of.ts';
import { scopeOf } from '../health/scope.ts';
import type { HealthState } from '../health/state.ts';
import type { Route, Target } from '../routing/candidate.ts';
import type { ProbeSettings } from './settings.ts';

/**
 * What a round has to do with a route now. `proved`: it answered well within `every`. `held`: what stands against it is
 * known. `priced`: it costs, and nobody allowed that. `wait`: its credential is limited until a moment, which a server
 * named or not.
 */
export type Standing =
  | { readonly word: 'ask' | 'proved' | 'held' | 'disabled' | 'priced' }
  | { readonly word: 'wait'; readonly until: number; readonly told: boolean };

/** What is seen of a route counts for so many times `every`: a round asks again between the first and the second. */
const WORTH = 2;

export function standingOf(
  state: HealthState,
  { target, route }: { readonly target: Target; readonly route: Route },
  { everyMs, priced }: Pick<ProbeSettings, 'everyMs' | 'priced'>,
  now: number,
): Standing {
  const seen = availability(state, route, now);
  if (seen.state === 'disabled') return { word: 'disabled' };
  const held = heldOf(seen, now);
  if (held !== null) return held;
  if (seen.state === 'ready' && wasProved(state, route, now - everyMs)) return { word: 'proved' };
  return target.catalogue?.isFree === false && !priced ? { word: 'priced' } : { word: 'ask' };
}

/** Null: nothing keeps it from being asked. */
function heldOf({ state, until, scope, told }: Availability, now: number): Standing | null {
  if (state === 'ready' || state === 'half_open') return null;
  if (state !== 'deferred') return { word: 'held' };
  if (until === null || until <= now) return null;
  return scope === 'credential' ? { word: 'wait', until, told } : { word: 'held' };
}

/** Whether anything is known of a route that is not older than it is worth. */
export function isKnown(state: HealthState, route: Route, everyMs: number, now: number): boolean {
  return availability(state, route, now).state !== 'ready' || wasProved(state, route, now - WORTH * everyMs);
}

function wasProved(state: HealthState, route: Route, since: number): boolean {
  const { provedAt } = scopeOf(state, 'route', route);
  return provedAt !== null && provedAt >= since;
}
