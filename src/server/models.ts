import { isGlob } from '../config/glob.ts';
import { nearestNames } from '../config/nearest.ts';
import { isModelAllowed, resolveModel } from '../config/resolve.ts';
import type { ClientKey, RuntimeConfig } from '../config/runtime.ts';

/** A name that a client may ask for. */
export type ListedModel = { readonly id: string; readonly owner: string; readonly title: string };

/** A key may use a model by the word that it lists: the one that was asked for, or the one that this means. */
export const mayUse = (key: ClientKey | null, asked: string, model: string): boolean =>
  isModelAllowed(key, asked) || isModelAllowed(key, model);

const OWN = 'understudy';
const SUGGESTIONS = 3;

/**
 * Virtual models with their aliases (globs are no names), then the targets that may be pinned, and what providers list
 * that clients may name.
 */
export function listModels(config: RuntimeConfig, key: ClientKey | null): readonly ListedModel[] {
  const names = new Map<string, ListedModel>();
  const add = (id: string, owner: string, model = id): void => {
    if (!names.has(id) && mayUse(key, id, model)) names.set(id, { id, owner, title: id });
  };
  const models = [...config.models.values()].filter((model) => !model.pinned);
  for (const model of models) {
    add(model.name, OWN);
    for (const alias of model.aliases) if (!isGlob(alias)) add(alias, OWN, model.name);
  }
  for (const target of models.flatMap((model) => model.targets)) {
    if (config.providers.get(target.provider)?.pinned !== 'off') add(target.id, target.provider);
  }
  for (const [provider, found] of config.listed ?? [])
    for (const id of found.keys()) add(`${provider}/${id}`, provider);
  return [...names.values()];
}

/** One model by the name that a client would ask for, aliases with globs included. */
export function findModel(config: RuntimeConfig, key: ClientKey | null, id: string): ListedModel | undefined {
  const listed = listModels(config, key).find((model) => model.id === id);
  if (listed) return listed;
  const model = resolveModel(config, id);
  if (model === undefined || !mayUse(key, id, model.name)) return undefined;
  return { id, owner: model.pinned ? (model.targets[0]?.provider ?? OWN) : OWN, title: id };
}

/** Thousands of models may be listed: only those of the provider that was meant are worth a look at each. */
function withoutStrangers(config: RuntimeConfig, wrong: string): RuntimeConfig {
  const { listed = new Map(), ...rest } = config;
  return { ...rest, listed: new Map([...listed].filter(([provider]) => wrong.startsWith(`${provider}/`))) };
}

/** "Did you mean …" for a name that nobody knows, out of those that this key may use. */
export function suggestModels(config: RuntimeConfig, key: ClientKey | null, wrong: string): string {
  const names = listModels(withoutStrangers(config, wrong), key).map((model) => model.id);
  const nearest = nearestNames(wrong, names, SUGGESTIONS);
  if (nearest.length > 0) return ` Nearest names: ${nearest.join(', ')}.`;
  return names.length > 0 ? ` Known names: ${names.slice(0, SUGGESTIONS).join(', ')}.` : '';
}

const GEMINI_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'];

/** The list as Google's clients read it: one page. */
export const geminiModelList = (models: readonly ListedModel[]): unknown => ({ models: models.map(geminiModel) });

export const geminiModel = (model: ListedModel): unknown => ({
  name: `models/${model.id}`,
  displayName: model.title,
  supportedGenerationMethods: GEMINI_METHODS,
});

const quoteTime = (epochMs: number): string => new Date(epochMs).toISOString();

/** The list as OpenAI clients read it. */
export function openAiModelList(models: readonly ListedModel[], createdAt: number): unknown {
  return { object: 'list', data: models.map((model) => openAiModel(model, createdAt)) };
}

export function openAiModel(model: ListedModel, createdAt: number): unknown {
  return { id: model.id, object: 'model', created: Math.floor(createdAt / 1000), owned_by: model.owner };
}

/** The list as Anthropic clients read it: one page. */
export function anthropicModelList(models: readonly ListedModel[], createdAt: number): unknown {
  return {
    data: models.map((model) => anthropicModel(model, createdAt)),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}

export function anthropicModel(model: ListedModel, createdAt: number): unknown {
  return { type: 'model', id: model.id, display_name: model.title, created_at: quoteTime(createdAt) };
}
