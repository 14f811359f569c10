import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { PromptSettings, ResponseFormat } from '../../core/model/prompt.ts';
import type { ToolChoice } from '../../core/model/tool.ts';
import { isJsonObject, without } from '../shared/json-object.ts';
import { isObject } from '../shared/value.ts';
import { camel } from './members.ts';
import { toJsonSchema } from './schema.ts';
import { readThinking } from './thinking.ts';

/** The protocol's words for settings whose values are the same everywhere, in `generationConfig` or at the top. */
export const PLAIN_SETTINGS = {
  maxOutputTokens: { name: 'maxOutputTokens', type: 'number' },
  temperature: { name: 'temperature', type: 'number' },
  topP: { name: 'topP', type: 'number' },
  topK: { name: 'topK', type: 'number' },
  n: { name: 'candidateCount', type: 'number' },
  seed: { name: 'seed', type: 'number' },
  presencePenalty: { name: 'presencePenalty', type: 'number' },
  frequencyPenalty: { name: 'frequencyPenalty', type: 'number' },
  logprobs: { name: 'responseLogprobs', type: 'boolean' },
  topLogprobs: { name: 'logprobs', type: 'number' },
  stop: { name: 'stopSequences', type: 'texts' },
  audio: { name: 'speechConfig', type: 'object' },
} as const satisfies { readonly [S in keyof PromptSettings]?: { readonly name: string; readonly type: string } };

const CHECKS: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  object: (value) => isObject(value),
};

const TIERS: ReadonlySet<unknown> = new Set(['flex', 'standard', 'priority']);

/** Tiers that the protocol knows by this word. */
export const isTier = (word: string): boolean => TIERS.has(word);

type Read = { readonly settings: PromptSettings; readonly rest: JsonObject };

/** Members that are taken, and those that stay. */
type Taken = { readonly taken: PromptSettings; readonly rest: JsonObject };

const prefixed = (path: string, members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${path}.${name}`, value]));

/** All members of the top but contents, system text and tools. */
export function readSettings(top: JsonObject): Read {
  const { generationConfig, toolConfig, store, serviceTier, ...others } = top;
  const config = readConfig(camel(generationConfig));
  const choice = readChoice(camel(toolConfig));
  const isKnownTier = typeof serviceTier === 'string' && TIERS.has(serviceTier);
  return {
    settings: {
      ...config.taken,
      ...choice.taken,
      ...(typeof store === 'boolean' ? { store } : {}),
      ...(isKnownTier ? { serviceTier } : {}),
    },
    rest: {
      ...others,
      ...without(
        { store: typeof store === 'boolean' ? undefined : store, serviceTier: isKnownTier ? undefined : serviceTier },
        [],
      ),
      ...prefixed('generationConfig', config.rest),
      ...prefixed('toolConfig', choice.rest),
    },
  };
}

function readConfig(config: JsonObject): Taken {
  const { thinkingConfig, responseModalities, ...members } = config;
  const rest = new Map(Object.entries(members));
  const taken: Record<string, unknown> = {};
  for (const [setting, { name, type }] of Object.entries(PLAIN_SETTINGS)) {
    const value = rest.get(name);
    if (value === undefined || CHECKS[type]?.(value) !== true) continue;
    taken[setting] = value;
    rest.delete(name);
  }
  const { format, used } = readFormat(members);
  for (const name of used) rest.delete(name);
  const thinking = readThinking(camel(thinkingConfig));
  const modalities = readModalities(responseModalities);
  return {
    taken: {
      ...(taken as PromptSettings),
      ...(format === null ? {} : { responseFormat: format }),
      ...(thinking.reasoning === null ? {} : { reasoning: thinking.reasoning }),
      ...(modalities === null ? {} : { modalities }),
    },
    rest: {
      ...Object.fromEntries(rest),
      ...without({ responseModalities: modalities === null ? responseModalities : undefined }, []),
      ...prefixed('thinkingConfig', thinking.rest),
    },
  };
}

const MODALITIES: ReadonlySet<string> = new Set(['TEXT', 'IMAGE', 'AUDIO']);

function readModalities(value: JsonValue | undefined): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const words: unknown[] = value.map((each: unknown) => (typeof each === 'string' ? each.toUpperCase() : each));
  const known = words.filter((word): word is string => typeof word === 'string' && MODALITIES.has(word));
  return known.length === words.length ? known.map((word) => word.toLowerCase()) : null;
}

/** The form of the answer, and the members that say it. */
function readFormat(config: JsonObject): { readonly format: ResponseFormat | null; readonly used: readonly string[] } {
  const { responseMimeType: mime, responseSchema, responseJsonSchema } = config;
  if (mime === 'text/plain') return { format: { type: 'text' }, used: ['responseMimeType'] };
  if (mime !== 'application/json') return { format: null, used: [] };
  const raw = responseJsonSchema ?? responseSchema;
  if (raw === undefined) return { format: { type: 'json_object' }, used: ['responseMimeType'] };
  if (!isJsonObject(raw)) return { format: null, used: [] };
  const schema = responseJsonSchema === undefined ? toJsonSchema(raw) : raw;
  const name = responseJsonSchema === undefined ? 'responseSchema' : 'responseJsonSchema';
  return {
    format: { type: 'json_schema', name: null, description: null, schema, strict: null },
    used: ['responseMimeType', name],
  };
}

/** `AUTO` with names is none that the protocol has. */
const MODES: Readonly<Record<string, (names: readonly string[]) => ToolChoice | null>> = {
  AUTO: (names) => (names.length === 0 ? { type: 'auto' } : null),
  NONE: (names) => (names.length === 0 ? { type: 'none' } : null),
  ANY: (names) => {
    const [only] = names;
    if (only === undefined) return { type: 'required' };
    if (names.length === 1) return { type: 'tool', kind: 'function', name: only };
    return { type: 'allowed', mode: 'required', names };
  },
  VALIDATED: (names) => (names.length === 0 ? null : { type: 'allowed', mode: 'auto', names }),
};

function readChoice(config: JsonObject): Taken {
  const { functionCallingConfig, ...others } = config;
  const { mode, allowedFunctionNames: allowed = [], ...inner } = camel(functionCallingConfig);
  const names = Array.isArray(allowed) ? allowed.filter((name): name is string => typeof name === 'string') : null;
  const word = typeof mode === 'string' ? mode.toUpperCase() : '';
  const choice = names !== null && Object.hasOwn(MODES, word) ? (MODES[word]?.(names) ?? null) : null;
  if (choice === null) return { taken: {}, rest: config };
  return {
    taken: { toolChoice: choice },
    rest: { ...others, ...(Object.keys(inner).length === 0 ? {} : { functionCallingConfig: inner }) },
  };
}
