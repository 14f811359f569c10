import type { CatalogueSettings, DiscoveringModel, Selector } from '../core/catalogue/settings.ts';
import type { ModelSettings } from '../core/model/settings.ts';
import { hasSelector, type ModelsContext, saidCapabilities, warnOfRequestKeys } from './build-models.ts';
import { checkClocks } from './check-clocks.ts';
import { MODEL_PRESETS } from './defaults.ts';
import { didYouMean } from './nearest.ts';
import type { Path } from './problem.ts';
import { type Report, refuse } from './report.ts';
import type { ConfigInput, ModelInput, TargetInput } from './schema/index.ts';
import { targetSettings } from './settings.ts';

const DEFAULT_MAX = 24;

type DiscoverInput = NonNullable<TargetInput['discover']>;
type Place = { readonly name: string; readonly model: ModelInput; readonly index: number };

/** What the configuration wants of providers' lists; what is wrong with it goes to the report. */
export function buildCatalogue(context: ModelsContext): CatalogueSettings {
  const { input } = context;
  const models = new Map<string, DiscoveringModel>();
  for (const [name, model] of Object.entries(input.models ?? {})) {
    const selectors = model.targets.flatMap((entry, index) =>
      hasSelector(entry) ? [buildSelector({ name, model, index }, entry, context)] : [],
    );
    if (selectors.length > 0) models.set(name, { selectors, hasAttemptPerTarget: hasAttemptPerTarget(model, input) });
  }
  const named = discovering(input);
  const wanted = new Set([
    ...named,
    ...[...models.values()].flatMap(({ selectors }) => selectors.flatMap(({ providers }) => providers)),
  ]);
  return { providers: context.providerNames.filter((name) => wanted.has(name)), named, models };
}

const discovering = ({ providers = {} }: ConfigInput): readonly string[] =>
  Object.keys(providers).filter((name) => providers[name]?.discover === true);

/** The preset says so, and no explicit key stands above it. */
function hasAttemptPerTarget(model: ModelInput, { modelDefaults = {} }: ConfigInput): boolean {
  const preset = MODEL_PRESETS[model.preset ?? modelDefaults.preset ?? 'standard'];
  return preset.oneAttemptPerTarget && (model.retry?.maxAttempts ?? modelDefaults.retry?.maxAttempts) === undefined;
}

function buildSelector(
  place: Place,
  entry: TargetInput & { readonly discover: DiscoverInput },
  context: ModelsContext,
): Selector {
  const { name, model, index } = place;
  const { discover, tier = 0, weight = 1 } = entry;
  const path = ['models', name, 'targets', index];
  checkAlone(entry, path, context.report);
  const providers = providersOf(discover, [...path, 'discover'], context);
  warnOfRequestKeys(entry, `model ${name}: targets[${index}]`, context.report);
  const { contextWindow, ...features } = discover.capabilities ?? {};
  return {
    at: model.targets.slice(0, index).filter((other) => !hasSelector(other)).length,
    providers,
    match: patternsOf(discover, [...path, 'discover'], context.report),
    price: discover.price ?? 'any',
    wants: Object.fromEntries(Object.entries(features).filter(([, value]) => value !== undefined)),
    minContextWindow: contextWindow ?? null,
    max: discover.max ?? DEFAULT_MAX,
    tier,
    weight,
    capabilities: saidCapabilities(entry),
    settings: settingsBy(providers, place, entry, context),
  };
}

/** It stands for many targets; what names one has no meaning beside it. */
function checkAlone(entry: TargetInput, path: Path, report: Report): void {
  for (const key of ['provider', 'model'] as const) {
    if (entry[key] === undefined) continue;
    const remedy = key === 'provider' ? '"providers: […]" within discover' : '"match" within discover';
    refuse(report, [...path, key], 'stands beside "discover"', `remove it: ${remedy} says which are taken`);
  }
}

function patternsOf({ match = '*' }: DiscoverInput, path: Path, report: Report): readonly string[] {
  if (typeof match === 'string') return [match];
  if (match.length === 0) refuse(report, [...path, 'match'], 'is empty', 'add a pattern, or remove the key');
  return match;
}

function providersOf(
  { providers }: DiscoverInput,
  path: Path,
  { input, providerNames, report }: ModelsContext,
): readonly string[] {
  if (providers === undefined) {
    const all = discovering(input);
    if (all.length === 0) {
      refuse(report, path, 'has no list to search', 'add "providers: […]", or "discover: true" at a provider');
    }
    return all;
  }
  if (providers.length === 0) {
    refuse(report, [...path, 'providers'], 'is empty', 'add a provider, or remove the key');
  }
  return providers.filter((name, index) => {
    const fault = faultOf(name, providers.indexOf(name) < index, { input, providerNames });
    if (fault !== null) refuse(report, [...path, 'providers', index], fault.message, fault.hint);
    return fault === null;
  });
}

function faultOf(
  name: string,
  isRepeated: boolean,
  { input, providerNames }: Pick<ModelsContext, 'input' | 'providerNames'>,
): { readonly message: string; readonly hint: string } | null {
  const shown = name.slice(0, 80);
  if (isRepeated) return { message: `the provider "${shown}" stands twice`, hint: 'remove one' };
  if (!providerNames.includes(name)) {
    const known = providerNames.length > 0 ? `providers: ${providerNames.join(', ')}` : 'add it to "providers"';
    return { message: `unknown provider "${shown}"`, hint: didYouMean(name, providerNames) ?? known };
  }
  if (input.providers?.[name]?.discover !== false) return null;
  return { message: `the provider "${shown}" says "discover: false"`, hint: `remove that, or the provider here` };
}

function settingsBy(
  providers: readonly string[],
  { name, model, index }: Place,
  entry: TargetInput,
  context: ModelsContext,
): ReadonlyMap<string, ModelSettings> {
  const { input } = context;
  const settings = new Map<string, ModelSettings>();
  for (const provider of providers) {
    const layers = { model, provider: input.providers?.[provider] ?? {}, target: entry };
    const effective = targetSettings(layers, input.modelDefaults ?? {});
    const places: readonly Path[] = [
      ['models', name, 'targets', index],
      ['models', name],
      ['providers', provider],
      ['modelDefaults'],
    ];
    checkClocks(effective, places, context);
    settings.set(provider, effective);
  }
  return settings;
}
