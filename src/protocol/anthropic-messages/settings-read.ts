import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { PromptSettings } from '../../core/model/prompt.ts';
import { isJsonObject, without } from '../shared/json-object.ts';
import { own } from '../shared/value.ts';
import { readCache } from './members.ts';
import { readFormat } from './response-format.ts';
import { readReasoning } from './thinking.ts';
import { readToolChoice } from './tool-read.ts';

/** What is read elsewhere, or stays where it is. */
const ELSEWHERE: readonly string[] = ['model', 'stream', 'messages', 'system', 'tools', 'mcp_servers'];

type Setting = keyof PromptSettings;

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Settings that are the same here, but for their names. */
const NAMES: readonly (readonly [member: string, setting: Setting, is: (value: unknown) => boolean])[] = [
  ['max_tokens', 'maxOutputTokens', isNumber],
  ['temperature', 'temperature', isNumber],
  ['top_p', 'topP', isNumber],
  ['top_k', 'topK', isNumber],
  ['stop_sequences', 'stop', isTexts],
];

/** Words of `service_tier` here, and what others say for them. */
export const TIERS: Readonly<Record<string, string>> = { auto: 'auto', standard_only: 'default' };

export type ReadSettings = { readonly settings: PromptSettings; readonly rest: JsonObject };

/** All members of a body that set something, and those that nobody here has a word for. */
export function readSettings(body: JsonObject): ReadSettings {
  const settings: Record<string, unknown> = {};
  const rest: Record<string, JsonValue> = {};
  const known = new Set([
    ...ELSEWHERE,
    ...NAMES.map(([member]) => member),
    'cache_control',
    'tool_choice',
    'service_tier',
  ]);
  for (const [member, setting, is] of NAMES) {
    const value = body[member];
    if (is(value)) settings[setting] = value;
    else if (isSet(value)) rest[member] = value;
  }
  readTier(body['service_tier'], settings, rest);
  const { cache, rest: unmarked } = readCache(body['cache_control']);
  if (cache !== undefined) settings['cache'] = cache;
  const { rest: unchosen, ...choices } = readToolChoice(body['tool_choice']);
  const others = ['metadata', 'thinking', 'output_config'];
  return {
    settings: { ...settings, ...choices, ...readUser(body['metadata'], rest), ...readConfig(body, rest) },
    rest: {
      ...without(body, [...known, ...others]),
      ...rest,
      ...unmarked,
      ...(unchosen === undefined ? {} : { tool_choice: unchosen }),
    },
  };
}

const isSet = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value !== null;

function readTier(
  value: JsonValue | undefined,
  settings: Record<string, unknown>,
  rest: Record<string, JsonValue>,
): void {
  const tier = own(TIERS, value);
  if (tier !== undefined) settings['serviceTier'] = tier;
  else if (isSet(value)) rest['service_tier'] = value;
}

function readUser(metadata: JsonValue | undefined, rest: Record<string, JsonValue>): Pick<PromptSettings, 'userId'> {
  if (!isSet(metadata)) return {};
  const userId = isJsonObject(metadata) ? metadata['user_id'] : undefined;
  const isTold = typeof userId === 'string';
  const left = isJsonObject(metadata) && isTold ? without(metadata, ['user_id']) : metadata;
  if (!isJsonObject(left) || Object.keys(left).length > 0) rest['metadata'] = left;
  return isTold ? { userId } : {};
}

/** `thinking` and `output_config`, which belong together. */
function readConfig(
  { thinking, output_config: config }: JsonObject,
  rest: Record<string, JsonValue>,
): Pick<PromptSettings, 'reasoning' | 'responseFormat'> {
  const members = isJsonObject(config) ? config : {};
  const read = readReasoning(thinking, members['effort']);
  const format = readFormat(members['format']);
  const left: JsonObject = {
    ...without(members, ['effort', 'format']),
    ...(read.effort === undefined ? {} : { effort: read.effort }),
    ...(format === null && isSet(members['format']) ? { format: members['format'] } : {}),
  };
  if (isSet(config) && !isJsonObject(config)) rest['output_config'] = config;
  else if (Object.keys(left).length > 0) rest['output_config'] = left;
  if (read.thinking !== undefined) rest['thinking'] = read.thinking;
  return {
    ...(read.reasoning === undefined ? {} : { reasoning: read.reasoning }),
    ...(format === null ? {} : { responseFormat: format }),
  };
}
