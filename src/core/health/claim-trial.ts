import type { Route } from '../routing/candidate.ts';
import { type Circuit, claimSlot } from './circuit.ts';
import { scopeOf, updateScope } from './scope.ts';
import type { HealthSettings } from './settings.ts';
import type { HealthState } from './state.ts';

/**
 * A claim that nobody settles, since its owner died, is lost after this. Longer than any attempt is silent by default,
 * or than the longest open time if that is longer.
 */
const CLAIM_LIMIT_MS = 15 * 60_000;

/**
 * Takes the places that an attempt on this route needs in the circuits of the route and its endpoint: all of them or
 * none. Granted without a claim where no circuit is open. The open time is not asked for: the plan decides whether a
 * slot opens early. Whoever was granted a claim settles it by an observation with `trial: true`, sent or not.
 */
export function claimTrial(
  state: HealthState,
  route: Route,
  now: number,
  settings: HealthSettings,
): { readonly state: HealthState; readonly granted: boolean } {
  const limitMs = Math.max(CLAIM_LIMIT_MS, settings.breaker.maxSlowOpenMs);
  const claim = (circuit: Circuit) => claimSlot(circuit, route.id, now, limitMs);
  const ofRoute = claim(scopeOf(state, 'route', route).circuit);
  const ofEndpoint = claim(scopeOf(state, 'endpoint', route).circuit);
  if (ofRoute === null || ofEndpoint === null) return { state, granted: false };
  const claimed = put(put(state, 'route', route, ofRoute), 'endpoint', route, ofEndpoint);
  return { state: claimed, granted: true };
}

function put(state: HealthState, kind: 'route' | 'endpoint', route: Route, circuit: Circuit): HealthState {
  return updateScope(state, kind, route, (scope) => (circuit === scope.circuit ? scope : { ...scope, circuit }));
}
