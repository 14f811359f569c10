import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import {
  type PromptSettings,
  REASONING_EFFORTS,
  type Reasoning,
  type ReasoningEffort,
  type ResponseFormat,
  type SettingName,
} from '../../core/model/prompt.ts';
import { isExactNumber, isJsonObject, without } from '../shared/json-object.ts';
import { readCache } from './part-read.ts';
import { readToolChoice } from './tool-read.ts';

type Row = {
  readonly wire: string;
  readonly name: SettingName;
  /** A value of any other form stays where it is, as something that nobody here knows. */
  readonly isGood: (value: JsonValue) => boolean;
};

const isNumber = (value: JsonValue): boolean => typeof value === 'number';
const isText = (value: JsonValue): boolean => typeof value === 'string';
const isFlag = (value: JsonValue): boolean => typeof value === 'boolean';
const isTexts = (value: JsonValue): boolean => Array.isArray(value) && value.every(isText);

/** Settings that are a member each, with the same value in both. */
export const SETTINGS: readonly Row[] = [
  { wire: 'temperature', name: 'temperature', isGood: isNumber },
  { wire: 'top_p', name: 'topP', isGood: isNumber },
  { wire: 'top_k', name: 'topK', isGood: isNumber },
  { wire: 'min_p', name: 'minP', isGood: isNumber },
  { wire: 'n', name: 'n', isGood: isNumber },
  { wire: 'seed', name: 'seed', isGood: isExactNumber },
  { wire: 'frequency_penalty', name: 'frequencyPenalty', isGood: isNumber },
  { wire: 'presence_penalty', name: 'presencePenalty', isGood: isNumber },
  { wire: 'repetition_penalty', name: 'repetitionPenalty', isGood: isNumber },
  { wire: 'logit_bias', name: 'logitBias', isGood: isJsonObject },
  { wire: 'logprobs', name: 'logprobs', isGood: isFlag },
  { wire: 'top_logprobs', name: 'topLogprobs', isGood: isNumber },
  { wire: 'verbosity', name: 'verbosity', isGood: isText },
  { wire: 'parallel_tool_calls', name: 'parallelToolCalls', isGood: isFlag },
  { wire: 'service_tier', name: 'serviceTier', isGood: isText },
  { wire: 'prompt_cache_key', name: 'promptCacheKey', isGood: isText },
  { wire: 'prompt_cache_retention', name: 'promptCacheRetention', isGood: isText },
  { wire: 'metadata', name: 'metadata', isGood: isJsonObject },
  { wire: 'user', name: 'userId', isGood: isText },
  { wire: 'safety_identifier', name: 'safetyId', isGood: isText },
  { wire: 'store', name: 'store', isGood: isFlag },
  { wire: 'prediction', name: 'prediction', isGood: () => true },
  { wire: 'modalities', name: 'modalities', isGood: isTexts },
  { wire: 'audio', name: 'audio', isGood: isJsonObject },
];

export type ReadSettings = {
  readonly settings: PromptSettings;
  /** Members of the body that the settings say. */
  readonly used: readonly string[];
  /** What is left of members that they say in part. */
  readonly rest: JsonObject;
};

/** What a body sets beside its messages and tools. Null sets nothing. */
export function readSettings(body: JsonObject): ReadSettings {
  const found = new Map<SettingName, unknown>();
  const used: string[] = [];
  let rest: JsonObject = {};
  for (const { wire, name, isGood } of SETTINGS) {
    const value = body[wire];
    if (value === undefined || (value !== null && !isGood(value))) continue;
    used.push(wire);
    if (value !== null) found.set(name, value);
  }
  for (const { wire, read } of OTHERS) {
    const said = read(body);
    if (said === null) continue;
    used.push(...wire);
    rest = { ...rest, ...said.rest };
    if (said.value !== undefined) found.set(said.name, said.value);
  }
  return { settings: Object.fromEntries(found) as PromptSettings, used, rest };
}

type Said = { readonly name: SettingName; readonly value: unknown; readonly rest?: JsonObject };

/** Settings that several members say, or one in another form. `read`: null where the body has them in no known form. */
const OTHERS: readonly { readonly wire: readonly string[]; readonly read: (body: JsonObject) => Said | null }[] = [
  { wire: ['max_completion_tokens', 'max_tokens'], read: readLimit },
  { wire: ['stop'], read: readStop },
  { wire: ['response_format'], read: readFormat },
  { wire: ['reasoning_effort', 'reasoning'], read: readReasoning },
  { wire: ['tool_choice', 'function_call'], read: (body) => ({ name: 'toolChoice', value: readToolChoice(body) }) },
  { wire: ['cache_control'], read: readTopCache },
];

/** The newer member counts; they mean the same. */
function readLimit(body: JsonObject): Said | null {
  const value = body['max_completion_tokens'] ?? body['max_tokens'];
  if (value == null) return { name: 'maxOutputTokens', value: undefined };
  return typeof value === 'number' ? { name: 'maxOutputTokens', value } : null;
}

function readStop({ stop }: JsonObject): Said | null {
  if (stop == null) return { name: 'stop', value: undefined };
  const list = typeof stop === 'string' ? [stop] : stop;
  return isTexts(list) ? { name: 'stop', value: Array.isArray(list) && list.length > 0 ? list : undefined } : null;
}

function readFormat(body: JsonObject): Said | null {
  const value = body['response_format'];
  if (value == null) return { name: 'responseFormat', value: undefined };
  const format = isJsonObject(value) ? formatOf(value) : null;
  return format === null ? null : { name: 'responseFormat', ...format };
}

function formatOf(value: JsonObject): { readonly value: ResponseFormat; readonly rest?: JsonObject } | null {
  const { type } = value;
  const over = (known: string[], inner: JsonObject = {}): { readonly rest?: JsonObject } => {
    const rest = { ...without(value, known), ...inner };
    return Object.keys(rest).length === 0 ? {} : { rest: { response_format: rest } };
  };
  if (type === 'text' || type === 'json_object') return { value: { type }, ...over(['type']) };
  const format = value['json_schema'];
  if (type !== 'json_schema' || !isJsonObject(format) || !isJsonObject(format['schema'])) return null;
  const { name, description, schema, strict } = format;
  const inner = without(format, ['name', 'description', 'schema', 'strict']);
  return {
    value: {
      type,
      name: typeof name === 'string' ? name : null,
      description: typeof description === 'string' ? description : null,
      schema,
      strict: typeof strict === 'boolean' ? strict : null,
    },
    ...over(['type', 'json_schema'], Object.keys(inner).length === 0 ? {} : { json_schema: inner }),
  };
}

const readEffort = (value: unknown): ReasoningEffort | null =>
  REASONING_EFFORTS.find((effort) => effort === value) ?? null;

/** OpenAI's member, and OpenRouter's object: `exclude` asks that nothing is shown. */
function readReasoning(body: JsonObject): Said | null {
  const value = body['reasoning'];
  const inner = isJsonObject(value) ? value : {};
  const word = body['reasoning_effort'] ?? inner['effort'] ?? null;
  const effort = readEffort(word);
  const { max_tokens: budget, exclude } = inner;
  if ((value != null && !isJsonObject(value)) || (word !== null && effort === null)) return null;
  const isSaid = effort !== null || typeof budget === 'number' || exclude === true;
  const reasoning: Reasoning = {
    effort,
    budgetTokens: typeof budget === 'number' ? budget : null,
    show: exclude === true ? 'none' : null,
  };
  const left = without(inner, ['effort', 'max_tokens', 'exclude']);
  const rest = Object.keys(left).length === 0 ? {} : { rest: { reasoning: left } };
  return { name: 'reasoning', value: isSaid ? reasoning : undefined, ...rest };
}

function readTopCache(body: JsonObject): Said | null {
  const { mark, isUsed } = readCache(body['cache_control']);
  return isUsed ? { name: 'cache', value: mark.cache } : null;
}
