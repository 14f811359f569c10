import type { Route } from '../routing/candidate.ts';
import { FRESH, type HealthState, readScope, type ScopeHealth, type ScopeKind, writeScope } from './state.ts';

/** `provider/name`: one quota domain, whatever the model. */
export function credentialId(route: Pick<Route, 'provider' | 'credential'>): string {
  return `${route.provider}/${route.credential}`;
}

/** The id of the scope of a kind that a route belongs to. */
export function scopeId(kind: ScopeKind, route: Route): string {
  if (kind === 'credential') return credentialId(route);
  return kind === 'route' ? route.id : route[kind];
}

/**
 * False: the route is one of a former configuration, whose secret, URL, headers or model are others now. What is seen
 * of it says nothing about the route that bears its id today.
 */
export function isCurrent(state: HealthState, route: Route): boolean {
  const known = Object.hasOwn(state.known, route.id) ? state.known[route.id] : undefined;
  return known === undefined || known.identity === route.identity;
}

/** What is known of a route's scope; nothing, if the record is that of another identity. */
export function scopeOf(state: HealthState, kind: ScopeKind, route: Route): ScopeHealth {
  if (kind !== 'endpoint' && !isCurrent(state, route)) return FRESH;
  const scope = readScope(state, kind, scopeId(kind, route));
  return kind === 'route' && scope.identity !== null && scope.identity !== route.identity
    ? { ...FRESH, disabledAt: scope.disabledAt }
    : scope;
}

/** Applies a change to one scope of a route; a change that gives back what it got leaves the state as it is. */
export function updateScope(
  state: HealthState,
  kind: ScopeKind,
  route: Route,
  change: (scope: ScopeHealth) => ScopeHealth,
): HealthState {
  const before = scopeOf(state, kind, route);
  const after = change(before);
  if (after === before) return state;
  const identity = kind === 'route' ? route.identity : null;
  return writeScope(state, kind, scopeId(kind, route), after.identity === identity ? after : { ...after, identity });
}
