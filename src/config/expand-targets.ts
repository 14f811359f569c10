import type { Catalogue } from '../core/catalogue/catalogue.ts';
import type { ListedModel } from '../core/catalogue/listed-model.ts';
import type { DiscoveringModel, Selector } from '../core/catalogue/settings.ts';
import type { Capabilities } from '../core/model/capability.ts';
import { takeTurns } from '../core/readiness/interleave.ts';
import type { Target, VirtualModel } from '../core/routing/candidate.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import { buildTarget } from './build-model.ts';
import { freeze } from './freeze.ts';
import { matchesGlob } from './glob.ts';
import type { RuntimeConfig } from './runtime.ts';

type Expandable = Pick<RuntimeConfig, 'models' | 'providers' | 'catalogue' | 'listed'>;

/**
 * The configuration with what providers list worked in: selectors become ordinary targets, in their own place among those
 * that the configuration names, and models of providers that say `discover: true` can be asked for. What an earlier
 * catalogue brought goes. Total and pure: the same lists give the same targets in the same order.
 */
export function expandTargets(config: RuntimeConfig, catalogue: Catalogue): RuntimeConfig {
  const models = [...config.models].map(([name, model]): [string, VirtualModel] => {
    const discovering = config.catalogue.models.get(name);
    return [name, discovering === undefined ? model : expandModel(model, discovering, config, catalogue)];
  });
  const { listed: _former, ...rest } = config;
  const listed = listedModels(config, catalogue);
  return freeze({ ...rest, models: new Map(models), ...(listed.size === 0 ? {} : { listed }) });
}

function expandModel(
  model: VirtualModel,
  { selectors, hasAttemptPerTarget }: DiscoveringModel,
  { providers }: Expandable,
  catalogue: Catalogue,
): VirtualModel {
  const named = model.targets.filter((target) => target.catalogue === undefined);
  const taken = new Set(named.map(({ id }) => id));
  const found = selectors.map((selector) => {
    const targets = selectTargets(selector, { providers, catalogue, taken });
    for (const { id } of targets) taken.add(id);
    return { at: selector.at, targets };
  });
  const standingAt = (place: number): readonly Target[] =>
    found.flatMap(({ at, targets }) => (at === place ? targets : []));
  const targets = [...named.flatMap((target, i) => [...standingAt(i), target]), ...standingAt(named.length)];
  const isAwaited =
    targets.length === 0 && selectors.some((each) => each.providers.some((name) => !catalogue.has(name)));
  const { isAwaited: _before, ...rest } = model;
  return {
    ...rest,
    targets,
    ...(isAwaited ? { isAwaited: true } : {}),
    ...(hasAttemptPerTarget ? { settings: withAttempts(model, targets.length) } : {}),
  };
}

const withAttempts = ({ settings }: VirtualModel, targets: number): VirtualModel['settings'] => ({
  ...settings,
  retry: { ...settings.retry, maxAttempts: Math.max(1, targets) },
});

type Selecting = Pick<Expandable, 'providers'> & {
  readonly catalogue: Catalogue;
  /** Ids of targets that the model has already. */
  readonly taken: ReadonlySet<string>;
};

/**
 * At most `max` of the models that fit. One turn after the other takes one of each endpoint, since what is on one endpoint
 * fails together, and of an endpoint's accounts one after the other, since each has a limit of its own. Whoever has no more
 * leaves its turns to the rest.
 */
function selectTargets(selector: Selector, { providers, catalogue, taken }: Selecting): readonly Target[] {
  const endpoints = new Map<string, Map<string, Found[]>>();
  for (const name of selector.providers) {
    const provider = providers.get(name);
    const settings = selector.settings.get(name);
    if (provider === undefined || settings === undefined) continue;
    const found = fittingModels(selector, provider, catalogue.get(name)?.listing?.models ?? [])
      .filter(({ id }) => !taken.has(`${name}/${id}`))
      .map((model): Found => ({ provider, model, settings }));
    const accounts = endpoints.get(provider.endpoint) ?? new Map<string, Found[]>();
    endpoints.set(provider.endpoint, accounts);
    const account = accountOf(provider);
    accounts.set(account, [...(accounts.get(account) ?? []), ...found]);
  }
  const inTurn = takeTurns([...endpoints.values()].map((accounts) => takeTurns([...accounts.values()])));
  return inTurn.slice(0, selector.max).map(({ provider, model, settings }) => ({
    ...buildTarget({ ...selector, provider, settings, model: model.id, capabilities: model.capabilities }),
    catalogue: { isFree: model.price === 'free' },
  }));
}

type Found = {
  readonly provider: ProviderRuntime;
  readonly model: Fitting;
  readonly settings: Target['settings'];
};

/** Two providers with the same keys are one account. */
const accountOf = ({ name, credentials }: ProviderRuntime): string =>
  credentials.map(({ name: credential, identity }) => identity ?? `${name} ${credential}`).join(' ');

type Fitting = ListedModel & { readonly capabilities: Capabilities };

/** Those that fit, with all that is known of them, in the order of the patterns and then of the list. */
function fittingModels(
  selector: Selector,
  provider: ProviderRuntime,
  models: readonly ListedModel[],
): readonly Fitting[] {
  const fitting = models.flatMap((model): Fitting[] => {
    if (selector.price === 'free' && model.price !== 'free') return [];
    const capabilities = { ...model.capabilities, ...selector.capabilities };
    return isAble(selector, { ...provider.capabilities, ...capabilities }) ? [{ ...model, capabilities }] : [];
  });
  const left = new Set(fitting);
  return selector.match.flatMap((pattern) => {
    const matching = [...left].filter(({ id }) => matchesGlob(pattern, id));
    for (const model of matching) left.delete(model);
    return matching;
  });
}

/** What nobody says is no lack: it shows when it is asked for. */
function isAble({ wants, minContextWindow }: Selector, known: Capabilities): boolean {
  const isWide = minContextWindow === null || (known.contextWindow ?? minContextWindow) >= minContextWindow;
  return isWide && Object.entries(wants).every(([name, want]) => (known[name as keyof typeof wants] ?? want) === want);
}

function listedModels(
  { catalogue: { named }, providers }: Expandable,
  catalogue: Catalogue,
): NonNullable<RuntimeConfig['listed']> {
  const open = named.filter((name) => (providers.get(name)?.pinned ?? 'off') !== 'off');
  return new Map(
    open.flatMap((name): [string, ReadonlyMap<string, ListedModel>][] => {
      const models = catalogue.get(name)?.listing?.models ?? [];
      return models.length === 0 ? [] : [[name, new Map(models.map((model) => [model.id, model]))]];
    }),
  );
}
