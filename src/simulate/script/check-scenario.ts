import { matchesGlob } from '../../config/glob.ts';
import { listRoutes } from '../../config/list-routes.ts';
import { closestNames } from '../../config/nearest.ts';
import type { ConfigProblem, Finding } from '../../config/problem.ts';
import { nearestModels, resolveModel } from '../../config/resolve.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Script } from './read-script.ts';
import { countAsks } from './work.ts';
import { writeTime } from './write-words.ts';

/** What a script says of things that a configuration does not have. */
export type ScenarioCheck = {
  /** With these it can't be played. */
  readonly problems: readonly ConfigProblem[];
  /** Rows that do nothing, by themselves or with this configuration. */
  readonly notes: readonly ConfigProblem[];
};

/** Holds the names of a script against the configuration that it is to be played with. */
export function checkScenario({ scenario, locate }: Script, config: RuntimeConfig): ScenarioCheck {
  const routes = routesOf(scenario, config);
  return {
    problems: unknownModels(scenario, config).map(locate),
    notes: [
      ...idleAsks(scenario),
      ...idleProviders(scenario, routes),
      ...idleAccounts(scenario, routes),
      ...idleActs(scenario, routes),
    ].map(locate),
  };
}

/** The model of asks that name none: the only one, or the default. Null: it has to be named. */
export function fallbackModel({ models, defaultModel }: Pick<RuntimeConfig, 'models' | 'defaultModel'>): string | null {
  const [only, second] = [...models.keys()];
  return defaultModel ?? (second === undefined ? (only ?? null) : null);
}

/** Those that models list, and those that clients of the scenario name themselves. */
function routesOf({ asks }: Scenario, config: RuntimeConfig): readonly Route[] {
  const named = asks.flatMap(({ model }) => resolveModel(config, model)?.targets ?? []);
  return [...listRoutes(config), ...named.flatMap((target) => target.routes)];
}

const unknownModels = ({ asks }: Scenario, config: RuntimeConfig): readonly Finding[] =>
  asks.flatMap(({ model }, i) => {
    if (resolveModel(config, model) !== undefined) return [];
    const near = nearestModels(config, model);
    const hint = near.length === 0 ? null : `the nearest: ${near.join(', ')}`;
    return [{ path: ['asks', i, 'model'], message: `the configuration has no model "${model.slice(0, 128)}"`, hint }];
  });

const idleAsks = ({ asks, forMs }: Scenario): readonly Finding[] =>
  asks.flatMap((row, i) =>
    countAsks(row, forMs) > 0
      ? []
      : [
          {
            path: ['asks', i],
            message: 'nobody asks: its time is empty, or begins when all is over',
            hint: `requests come from "from" to "until", and for ${writeTime(forMs)} in all ("for")`,
          },
        ],
  );

const nearest = (wrong: string, names: readonly string[]): string | null => {
  const near = closestNames(wrong, [...new Set(names)], 3);
  return near.length === 0 ? null : `there is ${near.join(', ')}`;
};

const idleProviders = ({ providers }: Scenario, routes: readonly Route[]): readonly Finding[] =>
  providers.flatMap(({ routes: glob }, i) => {
    const nameOf = ({ id, target }: Route): string => (glob.includes('#') ? id : target);
    if (routes.some((route) => matchesGlob(glob, nameOf(route)))) return [];
    const message = `no route of the configuration is "${glob.slice(0, 128)}"`;
    return [{ path: ['providers', i, 'routes'], message, hint: nearest(glob, routes.map(nameOf)) }];
  });

const idleAccounts = ({ accounts }: Scenario, routes: readonly Route[]): readonly Finding[] =>
  accounts.flatMap(({ account }, i) => {
    const names = routes.map(({ provider, credential }) => `${provider}/${credential}`);
    if (names.some((name) => matchesGlob(account, name))) return [];
    const message = `no account of the configuration is "${account.slice(0, 128)}"`;
    return [{ path: ['accounts', i, 'account'], message, hint: nearest(account, names) }];
  });

const idleActs = ({ acts }: Scenario, routes: readonly Route[]): readonly Finding[] =>
  acts.flatMap((act, i) => {
    if (act.does === 'drain') return [];
    const names = routes.flatMap(({ id, target, provider, credential, endpoint }) => [
      id,
      target,
      `${provider}/${credential}`,
      endpoint,
    ]);
    if (names.includes(act.id)) return [];
    const message = `the configuration has no target, route, credential or endpoint "${act.id.slice(0, 128)}"`;
    return [{ path: ['acts', i, 'id'], message, hint: nearest(act.id, names) }];
  });
