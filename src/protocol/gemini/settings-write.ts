import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { PromptSettings, ResponseFormat } from '../../core/model/prompt.ts';
import type { ToolChoice } from '../../core/model/tool.ts';
import type { PromptEgress } from '../translation.ts';
import { isEffort } from './request-encode.ts';
import { isTier, PLAIN_SETTINGS } from './settings-read.ts';
import { writeThinking } from './thinking.ts';

type Drop = (name: string) => void;

/** As many as the protocol takes. */
const MAX_STOPS = 5;

/** Settings that have a place of their own in what is written, or mean nothing more than what models do anyway. */
const HANDLED: ReadonlySet<string> = new Set([
  ...Object.keys(PLAIN_SETTINGS),
  'responseFormat',
  'reasoning',
  'toolChoice',
  'modalities',
  'store',
  'serviceTier',
  'parallelToolCalls',
]);

/** Members of `generationConfig`, and of the top. */
export type WrittenSettings = {
  readonly config: JsonObject;
  readonly toolConfig: JsonObject;
  readonly top: JsonObject;
};

export function writeSettings(settings: PromptSettings, egress: PromptEgress, drop: Drop): WrittenSettings {
  for (const [name, value] of Object.entries(settings)) if (!HANDLED.has(name) && value !== undefined) drop(name);
  if (settings.parallelToolCalls === false) drop('parallelToolCalls');
  const { store, serviceTier, modalities, responseFormat, toolChoice } = settings;
  const isTold = serviceTier === undefined || isTier(serviceTier);
  if (!isTold) drop('serviceTier');
  const thinking = thinkingOf(settings, egress);
  return {
    config: {
      ...plain(settings, egress, drop),
      ...(responseFormat === undefined ? {} : writeFormat(responseFormat)),
      ...(modalities === undefined ? {} : { responseModalities: modalities.map((word) => word.toUpperCase()) }),
      ...(Object.keys(thinking).length === 0 ? {} : { thinkingConfig: thinking }),
    },
    toolConfig: toolChoice === undefined ? {} : writeChoice(toolChoice, drop),
    top: {
      ...(store === undefined ? {} : { store }),
      ...(serviceTier === undefined || !isTold ? {} : { serviceTier }),
    },
  };
}

function plain(settings: PromptSettings, { defaults }: PromptEgress, drop: Drop): JsonObject {
  const members: [string, JsonValue][] = [];
  const all: PromptSettings =
    settings.maxOutputTokens === undefined && defaults.maxOutputTokens !== undefined
      ? { ...settings, maxOutputTokens: defaults.maxOutputTokens }
      : settings;
  for (const [setting, { name }] of Object.entries(PLAIN_SETTINGS)) {
    const value = all[setting as keyof typeof PLAIN_SETTINGS];
    if (value === undefined) continue;
    const isLong = Array.isArray(value) && value.length > MAX_STOPS;
    if (isLong) drop(setting);
    members.push([name, isLong ? value.slice(0, MAX_STOPS) : (value as JsonValue)]);
  }
  return Object.fromEntries(members);
}

function thinkingOf({ reasoning }: PromptSettings, { model, defaults }: PromptEgress): JsonObject {
  const { reasoningEffort } = defaults;
  const asked = reasoning ?? { effort: null, budgetTokens: null, show: null };
  const isOpen = asked.effort === null && asked.budgetTokens === null && asked.isAdaptive !== true;
  const effort = isOpen && reasoningEffort !== undefined && isEffort(reasoningEffort) ? reasoningEffort : asked.effort;
  return writeThinking({ ...asked, effort }, model);
}

/** Names and strictness of a schema change nothing here: what is decoded keeps to it in any case. */
function writeFormat(format: ResponseFormat): JsonObject {
  if (format.type === 'text') return { responseMimeType: 'text/plain' };
  if (format.type === 'json_object') return { responseMimeType: 'application/json' };
  return { responseMimeType: 'application/json', responseJsonSchema: format.schema };
}

function writeChoice(choice: ToolChoice, drop: Drop): JsonObject {
  const config = choiceConfig(choice);
  if (config === null) drop('toolChoice');
  return config === null ? {} : { functionCallingConfig: config };
}

function choiceConfig(choice: ToolChoice): JsonObject | null {
  switch (choice.type) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    case 'allowed':
      return { mode: choice.mode === 'required' ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names };
    case 'native':
      return null;
  }
}
