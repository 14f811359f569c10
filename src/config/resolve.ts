import { MODEL_ID } from '../core/catalogue/listed-model.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import { buildPinnedModel } from './build-model.ts';
import { isGlob, literalLength, matchesGlob } from './glob.ts';
import { nearestNames } from './nearest.ts';
import type { ClientKey, RuntimeConfig } from './runtime.ts';

type Names = Pick<RuntimeConfig, 'models' | 'providers' | 'defaultModel' | 'listed'>;

/**
 * What a client means by a name: a virtual model by its name, by an alias, by a pattern (the one with the most literal
 * text; at a tie the first in the file), a concrete `provider/model`, else the default model. Undefined: nobody knows
 * it.
 */
export function resolveModel(config: Names, name: string): VirtualModel | undefined {
  const fallback = config.defaultModel === undefined ? undefined : config.models.get(config.defaultModel);
  return config.models.get(name) ?? modelByAlias(config, name) ?? pinnedModel(config, name) ?? fallback;
}

/** The name under which requests for a name are on record: an alias's model; else the name itself. */
export const recordedName = (config: Names, name: string): string =>
  config.models.has(name) ? name : (modelByAlias(config, name)?.name ?? name);

function modelByAlias(config: Names, name: string): VirtualModel | undefined {
  let best: { readonly model: VirtualModel; readonly length: number } | undefined;
  for (const model of config.models.values()) {
    if (model.aliases.includes(name)) return model;
    for (const alias of model.aliases) {
      const length = literalLength(alias);
      if (isGlob(alias) && matchesGlob(alias, name) && length > (best?.length ?? -1)) best = { model, length };
    }
  }
  return best?.model;
}

/** One target that the client chose itself: its credentials are pooled, no other model answers for it. */
function pinnedModel(config: Names, name: string): VirtualModel | undefined {
  const slash = name.indexOf('/');
  const provider = slash > 0 ? config.providers.get(name.slice(0, slash)) : undefined;
  if (provider === undefined || provider.pinned === 'off') return undefined;
  const model = name.slice(slash + 1);
  const target = [...config.models.values()].flatMap((entry) => entry.targets).find((each) => each.id === name);
  const listed = target ?? config.listed?.get(provider.name)?.get(model);
  if (listed === undefined && (provider.pinned !== 'any' || !MODEL_ID.test(model))) return undefined;
  return buildPinnedModel(provider, model, listed?.capabilities ?? {});
}

/**
 * May a key use a name? Entries are names or patterns; one for the model as it was asked for or for its
 * `provider/model` (`target`) is enough. Without keys, and for a key without `models`, everything may be used.
 */
export function isModelAllowed(
  key: Pick<ClientKey, 'models'> | null,
  name: string,
  target: string | null = null,
): boolean {
  if (key === null || key.models === null) return true;
  return key.models.some((entry) => matchesGlob(entry, name) || (target !== null && matchesGlob(entry, target)));
}

/** The names that a configuration gives: patterns are left out, and what providers list beside them. */
export function listNames(config: Names): string[] {
  const models = [...config.models.values()];
  const aliases = models.flatMap((model) => model.aliases).filter((alias) => !isGlob(alias));
  const targets = models
    .flatMap((model) => model.targets)
    .filter((target) => config.providers.get(target.provider)?.pinned !== 'off');
  return [...new Set([...models.map((model) => model.name), ...aliases, ...targets.map((target) => target.id)])];
}

/** The three names closest to one that nobody knows. */
export const nearestModels = (config: Names, wrong: string): string[] => nearestNames(wrong, listNames(config), 3);
