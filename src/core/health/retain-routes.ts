import type { Route } from '../routing/candidate.ts';
import { credentialId } from './scope.ts';
import { FRESH, type HealthState, type KnownRoute, type ScopeHealth } from './state.ts';

/**
 * The state for a new configuration. What is known of a route stays while its identity does; of a credential or target
 * while one of its routes does, since a repaired key changes the identity of all; of an endpoint while a route uses it.
 * An operator's `disable` stays for every id that is still there.
 */
export function retainRoutes(state: HealthState, routes: readonly Route[]): HealthState {
  const known: Record<string, KnownRoute> = {};
  for (const route of routes) {
    const { identity, target, endpoint } = route;
    known[route.id] = { identity, target, credential: credentialId(route), endpoint };
  }
  const all = Object.values(known);
  const unchanged = Object.entries(known).filter(([id, route]) => isUnchanged(state, id, route));
  const kept = unchanged.map(([, route]) => route);
  const { scopes } = state;
  return {
    known,
    scopes: {
      route: keep(scopes.route, new Set(unchanged.map(([id]) => id)), new Set(Object.keys(known))),
      target: keep(scopes.target, idsOf(kept, 'target'), idsOf(all, 'target')),
      credential: keep(scopes.credential, idsOf(kept, 'credential'), idsOf(all, 'credential')),
      endpoint: keep(scopes.endpoint, idsOf(all, 'endpoint'), idsOf(all, 'endpoint')),
    },
  };
}

/** A route that no configuration has named yet is as its record says, or else was never seen. */
function isUnchanged(state: HealthState, id: string, route: KnownRoute): boolean {
  const before = Object.hasOwn(state.known, id) ? state.known[id] : undefined;
  if (before !== undefined) return before.identity === route.identity;
  const record = Object.hasOwn(state.scopes.route, id) ? state.scopes.route[id] : undefined;
  return record?.identity === route.identity;
}

function idsOf(routes: readonly KnownRoute[], kind: 'target' | 'credential' | 'endpoint'): ReadonlySet<string> {
  return new Set(routes.map((route) => route[kind]));
}

function keep(
  records: Readonly<Record<string, ScopeHealth>>,
  kept: ReadonlySet<string>,
  there: ReadonlySet<string>,
): Readonly<Record<string, ScopeHealth>> {
  const entries = Object.entries(records).flatMap(([id, scope]): [string, ScopeHealth][] => {
    if (kept.has(id)) return [[id, scope]];
    return there.has(id) && scope.disabledAt !== null ? [[id, { ...FRESH, disabledAt: scope.disabledAt }]] : [];
  });
  return Object.fromEntries(entries);
}
