import type { JsonObject } from '../../core/model/json-value.ts';
import {
  type CanonicalPrompt,
  type PromptSettings,
  REASONING_EFFORTS,
  type Reasoning,
  type SettingName,
} from '../../core/model/prompt.ts';
import type { Dropped } from '../shared/extensions.ts';
import type { PromptEgress } from '../translation.ts';
import { type Family, familyOf, usualOutput } from './families.ts';
import { writeCache } from './members.ts';
import { isBlank } from './part-write.ts';
import { writeFormat } from './response-format.ts';
import { TIERS } from './settings-read.ts';
import { type WrittenThinking, writeReasoning } from './thinking.ts';

/** Settings that can't be said, and the values of them that say nothing. */
const UNSAID: { readonly [S in SettingName]?: (value: unknown) => boolean } = {
  minP: () => false,
  n: (value) => value === 1,
  seed: () => false,
  frequencyPenalty: (value) => value === 0,
  presencePenalty: (value) => value === 0,
  repetitionPenalty: (value) => value === 1,
  logitBias: () => false,
  logprobs: (value) => value === false,
  topLogprobs: (value) => value === 0,
  verbosity: () => false,
  promptCacheKey: () => false,
  promptCacheRetention: () => false,
  metadata: () => false,
  store: () => false,
  prediction: () => false,
  modalities: (value) => JSON.stringify(value) === '["text"]',
  audio: () => false,
};

export type SettingsContext = {
  readonly egress: PromptEgress;
  readonly isForced: boolean;
  readonly isSigned: boolean;
};

/** The members of a body for all that was set but the tools; what can't be said is named. */
export function writeSettings(prompt: CanonicalPrompt, context: SettingsContext, dropped: Dropped): JsonObject {
  const { settings } = prompt;
  const family = familyOf(context.egress.model);
  for (const [name, isNothing] of Object.entries(UNSAID)) {
    const value = settings[name as SettingName];
    if (value !== undefined && !isNothing(value)) dropped.add(name);
  }
  const limit = limitOf(settings, family, context.egress);
  const thought = think(settings, family, limit, context, dropped);
  const config = writeConfig(settings, thought, dropped);
  return {
    max_tokens: limit,
    ...writeSampling(settings, family, thought.isOn, dropped),
    ...writeStop(settings, dropped),
    ...(thought.thinking === undefined ? {} : { thinking: thought.thinking }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...writeTier(settings, dropped),
    ...writeUser(settings, dropped),
    ...writeCache(settings),
  };
}

/** `max_tokens` has to be set. A budget that the client set, without a limit, leaves the usual room for the answer. */
function limitOf({ maxOutputTokens, reasoning }: PromptSettings, family: Family, { defaults }: PromptEgress): number {
  const set = maxOutputTokens ?? defaults.maxOutputTokens;
  if (set !== undefined) return set;
  const budget = Math.max(0, reasoning?.budgetTokens ?? 0);
  return Math.min(family.maxOutput, usualOutput(family) + budget);
}

function think(
  settings: PromptSettings,
  family: Family,
  limit: number,
  { egress, isForced, isSigned }: SettingsContext,
  dropped: Dropped,
): WrittenThinking {
  const asked = settings.reasoning ?? defaultReasoning(egress.defaults.reasoningEffort);
  if (asked === undefined) return { isOn: false, isLost: false };
  const written = writeReasoning(asked, { family, limit, isForced, isSigned });
  if (written.isLost && settings.reasoning !== undefined) dropped.add('reasoning');
  return written;
}

/** The effort of the configuration, where the client said nothing of it. */
function defaultReasoning(word: string | undefined): Reasoning | undefined {
  const effort = REASONING_EFFORTS.find((each) => each === word);
  return effort === undefined || effort === 'none' ? undefined : { effort, budgetTokens: null, show: null };
}

function writeConfig(settings: PromptSettings, { effort }: WrittenThinking, dropped: Dropped): JsonObject {
  const format = writeFormat(settings.responseFormat, dropped);
  return { ...(effort === undefined ? {} : { effort }), ...(format === null ? {} : { format }) };
}

/** While it thinks, the temperature is 1, `top_k` is not set, and `top_p` cuts hardly anything. */
const THINKING_TOP_P = 0.95;

/** The range ends at 1 here and at 2 elsewhere: what is above it is as free as can be, and named. */
function writeSampling(
  { temperature, topP, topK }: PromptSettings,
  { sampling }: Family,
  isThinking: boolean,
  dropped: Dropped,
): JsonObject {
  if (temperature !== undefined && (temperature > 1 || temperature < 0)) dropped.add('temperature');
  const heat = temperature === undefined ? undefined : Math.min(1, Math.max(0, temperature));
  const isSecond = sampling === 'one' && heat !== undefined;
  const rows: readonly (readonly [member: string, setting: string, value: number | undefined, isFree: boolean])[] = [
    ['temperature', 'temperature', heat, !isThinking || heat === 1],
    ['top_p', 'topP', topP, !isThinking ? !isSecond : isFreeEnough(topP) && !(isSecond && heat === 1)],
    ['top_k', 'topK', topK, !isThinking],
  ];
  const members: Record<string, number> = {};
  for (const [member, setting, value, isFree] of rows) {
    if (value === undefined) continue;
    if (isFree && sampling !== 'none') members[member] = value;
    else dropped.add(setting);
  }
  return members;
}

const isFreeEnough = (topP: number | undefined): boolean => topP !== undefined && topP >= THINKING_TOP_P;

/** A sequence of nothing but white space is refused. */
function writeStop({ stop = [] }: PromptSettings, dropped: Dropped): JsonObject {
  const told = stop.filter((each) => !isBlank(each));
  if (told.length < stop.length) dropped.add('stop');
  return told.length === 0 ? {} : { stop_sequences: told };
}

function writeTier({ serviceTier }: PromptSettings, dropped: Dropped): JsonObject {
  if (serviceTier === undefined) return {};
  const word = Object.keys(TIERS).find((each) => TIERS[each] === serviceTier);
  if (word === undefined) dropped.add('serviceTier');
  return word === undefined ? {} : { service_tier: word };
}

/** The id of a user that is there to tell misuse apart goes where this protocol has it. */
function writeUser({ userId, safetyId }: PromptSettings, dropped: Dropped): JsonObject {
  if (userId !== undefined && safetyId !== undefined && safetyId !== userId) dropped.add('safetyId');
  const id = userId ?? safetyId;
  return id === undefined ? {} : { metadata: { user_id: id } };
}
