import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type {
  CanonicalPrompt,
  PromptSettings,
  Reasoning,
  ResponseFormat,
  SettingName,
} from '../../core/model/prompt.ts';
import { given, objectOf } from '../shared/json-object.ts';
import { isObject } from '../shared/value.ts';
import type { PromptEgress } from '../translation.ts';
import { PROTOCOL } from './members.ts';
import { LOGPROBS_INCLUDED, PLAIN, SUMMARIES } from './settings-read.ts';
import { writeToolChoice } from './tool-write.ts';
import type { WriteContext } from './write-context.ts';

/** What an answer has to bring so that the next turn can go on from its thoughts, since nobody keeps them. */
const SEALED_INCLUDED = 'reasoning.encrypted_content';

const TIERS: readonly string[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'];

const isUpTo =
  (length: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length <= length;

function isMetadata(value: unknown): boolean {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.length <= 16 && entries.every(([name, text]) => name.length <= 64 && isUpTo(512)(text));
}

/** Bounds of this protocol, beyond which a request is refused: what another protocol's client set may lie there. */
const BOUNDS: { readonly [N in SettingName]?: (value: unknown) => boolean } = {
  serviceTier: (value) => typeof value === 'string' && TIERS.includes(value),
  promptCacheKey: isUpTo(64),
  promptCacheRetention: (value) => value === 'in_memory' || value === '24h',
  userId: isUpTo(64),
  safetyId: isUpTo(64),
  metadata: isMetadata,
  topLogprobs: (value) => typeof value === 'number' && value <= 20,
};

/** Settings that are written elsewhere in this file; every other one has no words here. */
const WRITTEN: readonly SettingName[] = ['responseFormat', 'verbosity', 'reasoning', 'toolChoice', 'logprobs'];

/** Values of settings without words here that ask for nothing. */
const ASKS_NOTHING: { readonly [N in SettingName]?: (value: unknown) => boolean } = {
  n: (value) => value === 1,
  stop: (value) => Array.isArray(value) && value.length === 0,
  modalities: (value) => Array.isArray(value) && value.every((word) => word === 'text'),
  frequencyPenalty: (value) => value === 0,
  presencePenalty: (value) => value === 0,
  repetitionPenalty: (value) => value === 1,
  logitBias: (value) => isObject(value) && Object.keys(value).length === 0,
};

const NAME = /^[\w-]{1,64}$/;

function writeFormat(format: ResponseFormat): JsonObject {
  if (format.type !== 'json_schema') return { type: format.type };
  const { name, description, schema, strict } = format;
  // A name has to be there, and says nothing.
  const safe = name === null || NAME.test(name) ? (name ?? 'response') : name.replace(/[^\w-]/g, '_').slice(0, 64);
  return {
    type: 'json_schema',
    name: safe || 'response',
    ...given({ description }),
    schema,
    ...given({ strict }),
  };
}

/** A number of tokens as one of the words; what is to be thought about for long gets the highest that all models have. */
const BUDGETS: readonly (readonly [upTo: number, effort: string])[] = [
  [0, 'none'],
  [4096, 'low'],
  [16_384, 'medium'],
  [Number.POSITIVE_INFINITY, 'high'],
];

function effortOf({ effort, budgetTokens }: Reasoning): string | null {
  if (effort !== null || budgetTokens === null || budgetTokens < 0) return effort;
  return BUDGETS.find(([upTo]) => budgetTokens <= upTo)?.[1] ?? null;
}

/** Thoughts themselves are not shown here: what comes nearest is what is told of them. */
const summaryOf = ({ show }: Reasoning): string | null =>
  show === 'full' ? 'auto' : (SUMMARIES.find((word) => word === show) ?? null);

function writeReasoning(settings: PromptSettings, egress: PromptEgress, { dropped }: WriteContext): JsonObject {
  const { reasoning } = settings;
  const effort = reasoning === undefined ? null : effortOf(reasoning);
  if (egress.capabilities.reasoningEffort === false) {
    if (effort !== null) dropped.add('reasoning');
    return {};
  }
  const isOpen = reasoning === undefined || (reasoning.effort === null && reasoning.budgetTokens === null);
  const asked = isOpen ? (egress.defaults.reasoningEffort ?? null) : effort;
  return {
    ...given({ effort: asked, summary: reasoning === undefined ? null : summaryOf(reasoning) }),
  };
}

function plainSettings(settings: PromptSettings, { isOwn, dropped }: WriteContext): JsonObject {
  const body: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(settings) as [SettingName, JsonValue][]) {
    const row = PLAIN.find(([known]) => known === name);
    const isWithin = isOwn || (BOUNDS[name]?.(value) ?? true);
    if (row !== undefined && isWithin) body.push([row[1], value]);
    else if (!WRITTEN.includes(name) && ASKS_NOTHING[name]?.(value) !== true) dropped.add(name);
  }
  return Object.fromEntries(body);
}

/** Models that think, by their names; those for chats do not. */
const THINKERS = /^(?:gpt-(?:[5-9]|\d\d)|o\d|codex)(?!.*-chat)/;

/**
 * May the answer hold thoughts? A model that has none refuses to seal them, so that it has to be likely: the client asks
 * for thinking, the target is known to think, or the conversation holds thoughts of such a model.
 */
function mayThink({ settings, messages }: CanonicalPrompt, { model, capabilities, defaults }: PromptEgress): boolean {
  if (capabilities.reasoningEffort !== undefined) return capabilities.reasoningEffort;
  if (settings.reasoning !== undefined) return effortOf(settings.reasoning) !== 'none';
  if (defaults.reasoningEffort !== undefined) return defaults.reasoningEffort !== 'none';
  if (THINKERS.test(model.split('/').at(-1) ?? model)) return true;
  return messages.some(({ parts }) =>
    parts.some((part) => part.type === 'reasoning' && part.state?.issuer === PROTOCOL),
  );
}

/** What answers are to include beside the usual. */
function includes(
  prompt: CanonicalPrompt,
  riding: JsonValue | undefined,
  egress: PromptEgress,
  isOwn: boolean,
): JsonObject {
  const list: JsonValue[] = Array.isArray(riding) ? [...riding] : [];
  if (prompt.settings.logprobs === true) list.push(LOGPROBS_INCLUDED);
  if (!isOwn && mayThink(prompt, egress)) list.push(SEALED_INCLUDED);
  return list.length === 0 ? given({ include: riding }) : { include: list };
}

/** A member that is put together from what is known and what rode along; a rider of another form stands for itself. */
function merged(name: string, written: JsonObject, riding: JsonValue | undefined): JsonObject {
  if (riding !== undefined && !isObject(riding)) return { [name]: riding };
  const whole = { ...written, ...objectOf(riding) };
  return Object.keys(whole).length === 0 ? {} : { [name]: whole };
}

function textMember({ responseFormat, verbosity }: PromptSettings, riding: JsonValue | undefined): JsonObject {
  const written = responseFormat === undefined ? {} : writeFormat(responseFormat);
  const { format, ...others } = objectOf(riding);
  const inner = isObject(riding)
    ? { ...merged('format', written, format), ...others }
    : merged('format', written, undefined);
  return merged('text', { ...inner, ...given({ verbosity }) }, isObject(riding) ? undefined : riding);
}

/** Fewer tokens are refused. */
const MIN_OUTPUT = 16;

/** The least that may be asked for stands for less, which other protocols' clients ask for to try a key. */
function limitOf(limit: number | undefined, { isOwn, dropped }: WriteContext): number | undefined {
  if (limit === undefined || limit >= MIN_OUTPUT || isOwn) return limit;
  dropped.add('maxOutputTokens');
  return MIN_OUTPUT;
}

/** The members of a request that are settings, with `riding` along: what came of this protocol beside them. */
export function writeSettings(
  prompt: CanonicalPrompt,
  riding: JsonObject,
  egress: PromptEgress,
  context: WriteContext,
): JsonObject {
  const { settings, tools } = prompt;
  const { text, reasoning, include, ...others } = riding;
  const choice = settings.toolChoice === undefined ? null : writeToolChoice(settings.toolChoice, tools);
  if (settings.toolChoice !== undefined && choice === null) context.dropped.add('toolChoice');
  const limit = limitOf(settings.maxOutputTokens ?? egress.defaults.maxOutputTokens, context);
  return {
    ...plainSettings(settings, context),
    ...given({ max_output_tokens: limit, tool_choice: choice }),
    ...merged('reasoning', writeReasoning(settings, egress, context), reasoning),
    ...textMember(settings, text),
    ...includes(prompt, include, egress, context.isOwn),
    // Nobody asked the provider to keep anything.
    ...(context.isOwn || settings.store !== undefined ? {} : { store: false }),
    ...others,
  };
}
