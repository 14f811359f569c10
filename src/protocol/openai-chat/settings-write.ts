import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type {
  CanonicalPrompt,
  PromptSettings,
  Reasoning,
  ResponseFormat,
  SettingName,
} from '../../core/model/prompt.ts';
import { given } from '../shared/json-object.ts';
import type { PromptEgress } from '../translation.ts';
import { WANTS_COMPLETION_TOKENS } from './request-encode.ts';
import { SETTINGS } from './settings-read.ts';
import { type PartWriter, writeToolChoice } from './tool-write.ts';

/**
 * Members that the protocol's author does not know and refuses, though some providers take them. Clients of other
 * protocols send them in passing, so an answer without them is better than none.
 */
const UNKNOWN_TO_AUTHOR: ReadonlySet<SettingName> = new Set(['topK', 'minP', 'repetitionPenalty']);

/** They make sense beside tools, and are refused without. */
const OF_TOOLS: ReadonlySet<SettingName> = new Set(['toolChoice', 'parallelToolCalls']);

/** As many stop sequences as may be. */
const MAX_STOPS = 4;

/** The settings of a prompt as members of a body. */
export function writeSettings(prompt: CanonicalPrompt, egress: PromptEgress, writer: PartWriter): JsonObject {
  const { settings } = prompt;
  const isLeftOut = (name: SettingName): boolean =>
    UNKNOWN_TO_AUTHOR.has(name) ||
    (OF_TOOLS.has(name) && prompt.tools.length === 0) ||
    // Labels are kept with stored answers only, and refused elsewhere.
    (name === 'metadata' && settings.store !== true);
  const body = new Map<string, JsonValue>();
  for (const { wire, name } of SETTINGS) {
    const value: JsonValue | undefined = settings[name];
    if (value === undefined) continue;
    if (isLeftOut(name)) writer.dropped.add(name);
    else body.set(wire, name === 'serviceTier' ? tierOf(value) : value);
  }
  if (settings.toolChoice !== undefined && isLeftOut('toolChoice')) writer.dropped.add('toolChoice');
  return {
    ...Object.fromEntries(body),
    ...writeLimit(settings, egress),
    ...writeStop(settings, writer),
    ...(settings.responseFormat === undefined ? {} : { response_format: writeFormat(settings.responseFormat) }),
    ...writeReasoning(prompt, egress, writer),
    ...(settings.toolChoice === undefined || isLeftOut('toolChoice')
      ? {}
      : writeToolChoice(settings.toolChoice, prompt.tools, writer.dropped)),
    ...writer.cache(settings.cache),
  };
}

/** The usual tier, as other protocols call it. */
const TIERS: ReadonlyMap<JsonValue, string> = new Map([
  ['standard', 'default'],
  ['standard_only', 'default'],
]);

const tierOf = (value: JsonValue): JsonValue => TIERS.get(value) ?? value;

function writeLimit(settings: PromptSettings, { model, defaults }: PromptEgress): JsonObject {
  const limit = settings.maxOutputTokens ?? defaults.maxOutputTokens;
  return given({ [WANTS_COMPLETION_TOKENS.test(model) ? 'max_completion_tokens' : 'max_tokens']: limit });
}

function writeStop({ stop }: PromptSettings, { dropped }: PartWriter): JsonObject {
  if (stop === undefined) return {};
  if (stop.length > MAX_STOPS) dropped.add('stop');
  return stop.length === 0 ? {} : { stop: stop.slice(0, MAX_STOPS) };
}

/** A schema has to have a name here. */
const SCHEMA_NAME = 'output';

function writeFormat(format: ResponseFormat): JsonObject {
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: given({ name: name ?? SCHEMA_NAME, description, schema, strict }) };
}

/** What a budget of so many tokens at most is called. Without a bound (-1), it is the model's own choice: nothing. */
const EFFORTS: readonly (readonly [most: number, effort: string | null])[] = [
  [-1, null],
  [0, 'none'],
  [4096, 'low'],
  [16_384, 'medium'],
  [Number.POSITIVE_INFINITY, 'high'],
];

function writeReasoning(prompt: CanonicalPrompt, egress: PromptEgress, { dropped }: PartWriter): JsonObject {
  const { reasoning } = prompt.settings;
  const own = prompt.extensions?.['openai-chat'] ?? {};
  const hasOwn = own['reasoning'] !== undefined || own['reasoning_effort'] !== undefined;
  if (reasoning === undefined) return hasOwn ? {} : given({ reasoning_effort: egress.defaults.reasoningEffort });
  // Whether thoughts are shown is the provider's custom in this protocol.
  if (reasoning.show !== null) dropped.add('reasoning.show');
  const effort = effortOf(reasoning);
  if (effort === null) return {};
  if (egress.capabilities.reasoningEffort !== false) return { reasoning_effort: effort };
  dropped.add('reasoning');
  return {};
}

const effortOf = ({ effort, budgetTokens }: Reasoning): string | null =>
  effort ?? (budgetTokens === null ? null : (EFFORTS.find(([most]) => budgetTokens <= most)?.[1] ?? null));
