import type { Route } from '../routing/candidate.ts';
import type { Availability, AvailabilityState } from './availability.ts';
import { availability, scopeAvailability } from './availability-of.ts';
import { weightOf } from './circuit.ts';
import { credentialId, scopeOf } from './scope.ts';
import { type HealthState, type LastResult, readScope, type ScopeHealth } from './state.ts';

/** One entry of `GET /api/v1/targets`; instants are epoch ms. */
export type ScopeEntry = {
  readonly kind: 'route' | 'credential' | 'endpoint';
  /** `provider/model#credential`, `provider/name`, `host:port` */
  readonly id: string;
  readonly target: string | null;
  readonly credential: string | null;
  readonly endpoint: string | null;
  readonly state: AvailabilityState;
  readonly reason: string | null;
  readonly since: number | null;
  /** The next possible use; null when it can be used now, or nothing tells. */
  readonly until: number | null;
  /** Weighted failures in the circuit's window. */
  readonly failures: number;
  readonly last: LastResult | null;
};

/**
 * The health of every route, then of their credentials, then of their endpoints, in the order of `routes`. A route
 * shows what it can be used for, so it is held while its credential is; credentials and endpoints show their own state.
 */
export function listScopes(state: HealthState, routes: readonly Route[], now: number): readonly ScopeEntry[] {
  const distinct = [...new Map(routes.map((route) => [route.id, route])).values()];
  return [
    ...distinct.map((route) => routeEntry(state, route, now)),
    ...[...new Map(distinct.map((route) => [credentialId(route), route]))].map(([id, route]) =>
      scopeEntry(state, 'credential', id, route, now),
    ),
    ...[...new Map(distinct.map((route) => [route.endpoint, route]))].map(([id, route]) =>
      scopeEntry(state, 'endpoint', id, route, now),
    ),
  ];
}

function routeEntry(state: HealthState, route: Route, now: number): ScopeEntry {
  const { id, target, credential, endpoint } = route;
  const names = { kind: 'route' as const, id, target, credential, endpoint };
  return { ...names, ...stateFields(availability(state, route, now), scopeOf(state, 'route', route), now) };
}

function scopeEntry(
  state: HealthState,
  kind: 'credential' | 'endpoint',
  id: string,
  route: Route,
  now: number,
): ScopeEntry {
  const credential = kind === 'credential' ? route.credential : null;
  const names = { kind, id, target: null, credential, endpoint: kind === 'endpoint' ? id : null };
  return { ...names, ...stateFields(scopeAvailability(state, kind, id, now), readScope(state, kind, id), now) };
}

function stateFields(
  { state, reason, since, until }: Availability,
  scope: ScopeHealth,
  now: number,
): Pick<ScopeEntry, 'state' | 'reason' | 'since' | 'until' | 'failures' | 'last'> {
  const next = until !== null && until > now ? until : null;
  return { state, reason, since, until: next, failures: weightOf(scope.circuit, now), last: scope.last };
}
