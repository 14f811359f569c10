import type { AskRow, Behaviour, ProviderRow, Scenario } from '../scenario/scenario.ts';
import { plainerThan } from './numbers.ts';
import { isMap, listPaths, type Path, valueAt, withValue } from './tree.ts';

/** Scenarios that are plainer in one way, the boldest first. Each looks at what it is given only. */
export type Cut = (scenario: Scenario) => Iterable<Scenario>;

const LISTS = ['acts', 'stores', 'accounts', 'providers', 'asks'] as const;

/** Rows are left out: all of a list, halves, quarters … single ones. */
export function* dropRows(scenario: Scenario): Iterable<Scenario> {
  for (const name of LISTS) {
    const rows: readonly unknown[] = scenario[name];
    for (const kept of partsLeft(rows)) yield { ...scenario, [name]: kept };
  }
}

/** The list without each of its pieces, from the whole to single items. */
export function* partsLeft<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (let size = list.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < list.length; at += size) yield [...list.slice(0, at), ...list.slice(at + size)];
  }
}

/** A load becomes a single request at one moment, or loses half. */
export function* fewerAsks(scenario: Scenario): Iterable<Scenario> {
  for (const [place, row] of scenario.asks.entries()) {
    const once: AskRow = { ...row, perSecond: null, count: 1, arrival: 'even', untilMs: null };
    const plainer: readonly AskRow[] = [
      ...(row.count === 1 && row.perSecond === null ? [] : [once]),
      ...(row.perSecond === null ? [] : [{ ...row, perSecond: null, arrival: 'even' } as const]),
      ...(row.arrival === 'even' ? [] : [{ ...row, arrival: 'even' } as const]),
      ...(row.untilMs === null ? [] : [{ ...row, untilMs: null }]),
      ...(row.shape && Object.keys(row.shape).length > 0 ? [{ ...row, shape: {} }] : []),
      ...(row.client && Object.keys(row.client).length > 0 ? [{ ...row, client: {} }] : []),
    ];
    for (const each of plainer) yield { ...scenario, asks: scenario.asks.with(place, each) };
  }
}

/** What providers may do instead, from doing nothing wrong on. */
const PLAIN: readonly Behaviour[] = [{}, { status: 500 }, { refuses: 'refused' }, { words: 0 }, { headMs: null }];

export function* plainerProviders(scenario: Scenario): Iterable<Scenario> {
  for (const [place, row] of scenario.providers.entries()) {
    const rank = PLAIN.findIndex((each) => JSON.stringify(each) === JSON.stringify(row.does));
    const { sends: _sends, share: _share, flap: _flap, ...bare } = row;
    const plainer: readonly ProviderRow[] = [
      ...(rank < 0 ? PLAIN : PLAIN.slice(0, rank)).map((does) => ({ ...row, does })),
      { ...bare, fromMs: 0, untilMs: null },
      ...(row.routes === '*' ? [] : [{ ...row, routes: '*' }]),
      ...(row.untilMs === null ? [] : [{ ...row, untilMs: null }]),
    ];
    for (const each of plainer) {
      if (JSON.stringify(each) === JSON.stringify(row)) continue;
      yield { ...scenario, providers: scenario.providers.with(place, each) };
    }
  }
}

/** A provider, a credential, a target or a virtual model is left out, with all that names it. */
export function* dropRoutes(scenario: Scenario): Iterable<Scenario> {
  const { config } = scenario;
  if (config === null) return;
  for (const name of keysAt(config, ['models'])) yield withoutModel(scenario, name);
  for (const name of keysAt(config, ['providers'])) yield withoutProvider(scenario, name);
  for (const name of keysAt(config, ['models'])) {
    const targets = valueAt(config, ['models', name, 'targets']);
    for (const kept of partsLeft(Array.isArray(targets) ? targets : []))
      if (kept.length > 0) yield withConfig(scenario, ['models', name, 'targets'], kept);
  }
  for (const name of keysAt(config, ['providers'])) {
    const pool = valueAt(config, ['providers', name, 'credentials']);
    for (const kept of partsLeft(Array.isArray(pool) ? pool : []))
      if (kept.length > 0) yield withConfig(scenario, ['providers', name, 'credentials'], kept);
  }
}

/** Of the configuration, sections and keys are left out, so that defaults count: the biggest first. */
export function* dropSettings(scenario: Scenario): Iterable<Scenario> {
  const { config } = scenario;
  if (config === null) return;
  for (const path of listPaths(config)) {
    if (typeof path.at(-1) === 'string' && !isNeeded(path)) yield withConfig(scenario, path, undefined);
  }
}

/** Members without which no configuration loads. */
const isNeeded = (path: Path): boolean => path.length < 3 && (path[0] === 'providers' || path[0] === 'models');

/** Optional members of shapes, clients, behaviours and rows are left out. */
export function* dropMembers(scenario: Scenario): Iterable<Scenario> {
  for (const path of listPaths(scenario)) {
    const isOptional = path[0] !== 'config' && OPTIONAL.some((name) => path.includes(name)) && path.length > 2;
    if (isOptional && typeof path.at(-1) === 'string' && !KEPT.has(String(path.at(-1))))
      yield cut(scenario, path, undefined);
  }
}

const OPTIONAL = ['shape', 'client', 'does', 'sends', 'share', 'flap'];
/** The rest of the map means nothing without them. */
const KEPT = new Set(['shape', 'client', 'does', 'kind', 'at', 'from', 'to', 'onMs', 'offMs']);

/** Numbers and durations become small or round. A status is a name. */
export function* plainerNumbers(scenario: Scenario): Iterable<Scenario> {
  for (const path of listPaths(scenario).filter((each) => each.at(-1) !== 'status')) {
    for (const value of plainerThan(valueAt(scenario, path))) yield cut(scenario, path, value);
  }
}

/** From the boldest to the finest. */
export const CUTS: readonly Cut[] = [
  dropRows,
  fewerAsks,
  dropRoutes,
  plainerProviders,
  dropSettings,
  dropMembers,
  plainerNumbers,
];

const cut = (scenario: Scenario, path: Path, value: unknown): Scenario => withValue(scenario, path, value) as Scenario;

const withConfig = (scenario: Scenario, path: Path, value: unknown): Scenario =>
  cut(scenario, ['config', ...path], value);

const keysAt = (config: unknown, path: Path): readonly string[] => {
  const map = valueAt(config, path);
  return isMap(map) ? Object.keys(map) : [];
};

function withoutModel(scenario: Scenario, name: string): Scenario {
  const left = withConfig(scenario, ['models', name], undefined);
  const names = [
    name,
    ...((valueAt(scenario.config, ['models', name, 'aliases']) as readonly string[] | undefined) ?? []),
  ];
  return { ...left, asks: left.asks.filter(({ model }) => !names.includes(model)) };
}

function withoutProvider(scenario: Scenario, name: string): Scenario {
  const { config } = scenario;
  const isOf = (id: string): boolean => id.startsWith(`${name}/`);
  const providerOf = (target: unknown): unknown =>
    typeof target === 'string' ? target.slice(0, target.indexOf('/')) : valueAt(target, ['provider']);
  let left = withConfig(scenario, ['providers', name], undefined);
  for (const model of keysAt(config, ['models'])) {
    const targets = valueAt(config, ['models', model, 'targets']);
    const kept = (Array.isArray(targets) ? targets : []).filter((target) => providerOf(target) !== name);
    left = kept.length === 0 ? withoutModel(left, model) : withConfig(left, ['models', model, 'targets'], kept);
  }
  return {
    ...left,
    asks: left.asks.filter(({ model }) => !isOf(model)),
    providers: left.providers.filter(({ routes }) => !isOf(routes)),
    accounts: left.accounts.filter(({ account }) => !isOf(account)),
    acts: left.acts.filter((act) => !('id' in act && isOf(act.id))),
  };
}
