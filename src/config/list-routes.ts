import { type HealthState, MAX_UNLISTED, readScope } from '../core/health/state.ts';
import type { Route } from '../core/routing/candidate.ts';
import { resolveModel } from './resolve.ts';
import type { RuntimeConfig } from './runtime.ts';

/** Each route that a model lists, once, in the order of the models. */
export function listRoutes({ models }: Pick<RuntimeConfig, 'models'>): readonly Route[] {
  const routes = [...models.values()].flatMap((model) => model.targets.flatMap((target) => target.routes));
  return [...new Map(routes.map((route) => [route.id, route])).values()];
}

type Seen = Pick<RuntimeConfig, 'models' | 'providers' | 'listed'>;

/**
 * The same, and behind them the routes of which something is known although no model lists them: clients named them
 * themselves (`pinned: any`, `discover: true`). One whose key or address has changed since is another route, of which
 * nothing is known but an operator's word.
 */
export function listSeenRoutes(config: Seen, state: HealthState): readonly Route[] {
  const listed = listRoutes(config);
  return [...listed, ...findUnlisted(config, state, listed)];
}

/**
 * Those of which another configuration keeps what is known: of the ones that no model lists not more than health remembers
 * of them, so that reloads do not add up. Those that an operator took out of service stay first, then the newest.
 */
export function listKeptRoutes(config: Seen, state: HealthState): readonly Route[] {
  const listed = listRoutes(config);
  const isDisabled = ({ id }: Route): number => (readScope(state, 'route', id).disabledAt === null ? 0 : 1);
  const unlisted = findUnlisted(config, state, listed).toSorted((one, other) => isDisabled(one) - isDisabled(other));
  return [...listed, ...unlisted.slice(-MAX_UNLISTED)];
}

function findUnlisted(
  { providers, listed: found }: Seen,
  { scopes }: HealthState,
  listed: readonly Route[],
): readonly Route[] {
  const ids = new Set(listed.map((route) => route.id));
  const names = { models: new Map(), providers, ...(found === undefined ? {} : { listed: found }) };
  return Object.entries(scopes.route).flatMap(([id, { identity, disabledAt }]) => {
    if (ids.has(id)) return [];
    const target = resolveModel(names, id.slice(0, id.lastIndexOf('#')))?.targets[0];
    const route = target?.routes.find((candidate) => candidate.id === id);
    return route !== undefined && (route.identity === identity || disabledAt !== null) ? [route] : [];
  });
}
