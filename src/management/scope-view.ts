import { listSeenRoutes } from '../config/list-routes.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { listScopes, type ScopeEntry } from '../core/health/list-scopes.ts';
import type { HealthState } from '../core/health/state.ts';
import type { Protocol } from '../core/model/protocol.ts';
import type { ScopeView } from './contract.ts';
import { formatTime, formatTimeOrNull } from './time.ts';

/** The health of every route that is listed or was used, of their credentials and of their endpoints. */
export function viewScopes(state: HealthState, config: RuntimeConfig, now: number): readonly ScopeView[] {
  const routes = listSeenRoutes(config, state);
  const protocols = new Map(routes.map(({ id, protocol }) => [id, protocol]));
  return listScopes(state, routes, now).map((entry) =>
    viewScope(entry, entry.kind === 'route' ? (protocols.get(entry.id) ?? null) : null),
  );
}

function viewScope(entry: ScopeEntry, protocol: Protocol | null): ScopeView {
  const { last } = entry;
  return {
    kind: entry.kind,
    id: entry.id,
    target: entry.target,
    credential: entry.credential,
    endpoint: entry.endpoint,
    protocol,
    state: entry.state,
    reason: entry.reason,
    since: formatTimeOrNull(entry.since),
    until: formatTimeOrNull(entry.until),
    failures: entry.failures,
    last: last === null ? null : { ...last, at: formatTime(last.at), ms: Math.round(last.ms) },
  };
}
