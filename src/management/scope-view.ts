import { listSeenRoutes } from '../config/list-routes.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { listScopes, type ScopeEntry } from '../core/health/list-scopes.ts';
import type { HealthState } from '../core/health/state.ts';
import type { ScopeView } from './contract.ts';
import { formatTime, formatTimeOrNull } from './time.ts';

/** The health of every route that is listed or was used, of their credentials and of their endpoints. */
export function viewScopes(state: HealthState, config: RuntimeConfig, now: number): readonly ScopeView[] {
  return listScopes(state, listSeenRoutes(config, state), now).map(viewScope);
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
