import type { HealthState } from '../core/health/state.ts';
import type { Route } from '../core/routing/candidate.ts';
import { resolveModel } from './resolve.ts';
import type { RuntimeConfig } from './runtime.ts';

/** Each route that a model lists, once, in the order of the models. */
export function listRoutes({ models }: Pick<RuntimeConfig, 'models'>): readonly Route[] {
  const routes = [...models.values()].flatMap((model) => model.targets.flatMap((target) => target.routes));
  return [...new Map(routes.map((route) => [route.id, route])).values()];
}

/**
 * The same, and behind them the routes of which something is known although no model lists them: clients named them
 * themselves (`pinned: any`). One whose key or address has changed since is another route, of which nothing is known.
 */
export function listSeenRoutes(
  config: Pick<RuntimeConfig, 'models' | 'providers'>,
  { scopes }: HealthState,
): readonly Route[] {
  const listed = listRoutes(config);
  const ids = new Set(listed.map((route) => route.id));
  const names = { models: new Map(), providers: config.providers };
  const seen = Object.entries(scopes.route).flatMap(([id, { identity }]) => {
    if (ids.has(id)) return [];
    const target = resolveModel(names, id.slice(0, id.lastIndexOf('#')))?.targets[0];
    const route = target?.routes.find((candidate) => candidate.id === id);
    return route !== undefined && route.identity === identity ? [route] : [];
  });
  return [...listed, ...seen];
}
