import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import {
  type PromptSettings,
  REASONING_EFFORTS,
  type Reasoning,
  type ResponseFormat,
  type SettingName,
} from '../../core/model/prompt.ts';
import type { ToolDefinition } from '../../core/model/tool.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { isObject } from '../shared/value.ts';
import { restOf } from './members.ts';
import { readToolChoice } from './tool-read.ts';

/** Settings that are one member of the request, the same on both sides. */
export const PLAIN: readonly (readonly [
  name: SettingName,
  member: string,
  type: 'number' | 'string' | 'boolean' | 'object',
])[] = [
  ['maxOutputTokens', 'max_output_tokens', 'number'],
  ['temperature', 'temperature', 'number'],
  ['topP', 'top_p', 'number'],
  ['topLogprobs', 'top_logprobs', 'number'],
  ['parallelToolCalls', 'parallel_tool_calls', 'boolean'],
  ['serviceTier', 'service_tier', 'string'],
  ['promptCacheKey', 'prompt_cache_key', 'string'],
  ['promptCacheRetention', 'prompt_cache_retention', 'string'],
  ['metadata', 'metadata', 'object'],
  ['userId', 'user', 'string'],
  ['safetyId', 'safety_identifier', 'string'],
  ['store', 'store', 'boolean'],
];

/** What has to be asked for beside it, so that an answer holds log probabilities. */
export const LOGPROBS_INCLUDED = 'message.output_text.logprobs';

/** How much of the reasoning is shown, in words that both sides have. */
export const SUMMARIES = ['auto', 'concise', 'detailed'] as const;

/** What was read of a member of the request, and what rides along of it. */
type Read = { readonly settings: PromptSettings; readonly rest: JsonObject };

type Reader = (value: JsonValue, tools: readonly ToolDefinition[]) => Read;

/** A format; null: of no kind that is known. */
function readFormat(format: JsonValue | undefined): ResponseFormat | null {
  if (!isJsonObject(format)) return null;
  const { type, schema, name, description, strict } = format;
  if (type === 'text' || type === 'json_object') return { type };
  if (type !== 'json_schema' || !isJsonObject(schema)) return null;
  return {
    type,
    name: typeof name === 'string' ? name : null,
    description: typeof description === 'string' ? description : null,
    schema,
    strict: typeof strict === 'boolean' ? strict : null,
  };
}

const FORMAT_MEMBERS = ['type', 'schema', 'name', 'description', 'strict'] as const;

const under = (name: string, members: JsonObject): JsonObject =>
  Object.keys(members).length === 0 ? {} : { [name]: members };

function readText(text: JsonValue): Read {
  if (!isJsonObject(text)) return { settings: {}, rest: { text } };
  const { format = null, verbosity } = text;
  const responseFormat = readFormat(format);
  const hasVerbosity = typeof verbosity === 'string';
  const inner =
    responseFormat === null || !isJsonObject(format)
      ? restOf({ format })
      : under('format', restOf(format, ...FORMAT_MEMBERS));
  const others = restOf(text, 'format', ...(hasVerbosity ? ['verbosity'] : []));
  return {
    settings: {
      ...(responseFormat === null ? {} : { responseFormat }),
      ...(hasVerbosity ? { verbosity } : {}),
    },
    rest: under('text', { ...inner, ...others }),
  };
}

function readReasoning(value: JsonValue): Read {
  if (!isJsonObject(value)) return { settings: {}, rest: { reasoning: value } };
  const effort = REASONING_EFFORTS.find((word) => word === value['effort']) ?? null;
  const shown = value['summary'] == null ? 'generate_summary' : 'summary';
  const show = SUMMARIES.find((word) => word === value[shown]) ?? null;
  const known = [...(effort === null ? [] : ['effort']), ...(show === null ? [] : ['summary', 'generate_summary'])];
  const reasoning: Reasoning = { effort, budgetTokens: null, show };
  return {
    settings: effort === null && show === null ? {} : { reasoning },
    rest: under('reasoning', restOf(value, ...known)),
  };
}

function readInclude(value: JsonValue): Read {
  if (!Array.isArray(value)) return { settings: {}, rest: { include: value } };
  const others = value.filter((name: JsonValue) => name !== LOGPROBS_INCLUDED);
  return {
    settings: others.length < value.length ? { logprobs: true } : {},
    rest: others.length === 0 ? {} : { include: others },
  };
}

const readPlain =
  ([name, member, type]: (typeof PLAIN)[number]): Reader =>
  (value) => {
    // A number that a double can't hold is an object, and of no use to anybody else.
    const isRight = type === 'object' ? isObject(value) : typeof value === type;
    return isRight ? { settings: { [name]: value }, rest: {} } : { settings: {}, rest: { [member]: value } };
  };

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...PLAIN.map((row): [string, Reader] => [row[1], readPlain(row)]),
  ['text', readText],
  ['reasoning', readReasoning],
  ['include', readInclude],
  [
    'tool_choice',
    (value, tools) => {
      const toolChoice = readToolChoice(value, tools);
      return { settings: toolChoice === null ? {} : { toolChoice }, rest: {} };
    },
  ],
]);

/** The settings of a request, and the members that ride along. Null says the same as nothing. */
export function readSettings(members: JsonObject, tools: readonly ToolDefinition[]): Read {
  let settings: PromptSettings = {};
  const rest: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(members)) {
    if (value === null) continue;
    const read = READERS.get(name)?.(value, tools);
    if (read === undefined) rest.push([name, value]);
    else {
      settings = { ...settings, ...read.settings };
      rest.push(...Object.entries(read.rest));
    }
  }
  return { settings, rest: Object.fromEntries(rest) };
}
