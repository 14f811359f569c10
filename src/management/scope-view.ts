import type { RuntimeConfig } from '../config/runtime.ts';
import { listScopes, type ScopeEntry } from '../core/health/list-scopes.ts';
import type { HealthState } from '../core/health/state.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { ScopeView } from './contract.ts';
import { formatTime, formatTimeOrNull } from './time.ts';

/** The health of every route of the configuration, of their credentials and of their endpoints. */
export function viewScopes(state: HealthState, config: RuntimeConfig, now: number): readonly ScopeView[] {
  return listScopes(state, routesOf(config), now).map(viewScope);
}

/** Each route of the configuration once, in the order of the models that list them. */
export function routesOf(config: Pick<RuntimeConfig, 'models'>): readonly Route[] {
  const routes = [...config.models.values()].flatMap((model) => model.targets.flatMap((target) => target.routes));
  return [...new Map(routes.map((route) => [route.id, route])).values()];
}

function viewScope(entry: ScopeEntry): ScopeView {
  const { last } = entry;
  return {
    kind: entry.kind,
    id: entry.id,
    target: entry.target,
    credential: entry.credential,
    endpoint: entry.endpoint,
    state: entry.state,
    reason: entry.reason,
    since: formatTimeOrNull(entry.since),
    until: formatTimeOrNull(entry.until),
    failures: entry.failures,
    last: last === null ? null : { ...last, at: formatTime(last.at), ms: Math.round(last.ms) },
  };
}
