import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { PromptSettings } from '../../core/model/prompt.ts';
import type { ToolChoice, ToolDefinition } from '../../core/model/tool.ts';
import type { Dropped } from '../shared/extensions.ts';
import { isJsonObject, without } from '../shared/json-object.ts';
import { own } from '../shared/value.ts';
import { PROTOCOL } from './members.ts';
import { toolName } from './tool-definition.ts';

type Choices = Pick<PromptSettings, 'toolChoice' | 'parallelToolCalls'>;

const MODES: Readonly<Record<string, 'auto' | 'none' | 'required'>> = { auto: 'auto', none: 'none', any: 'required' };
const WORDS = { auto: 'auto', none: 'none', required: 'any' } as const;

/** `tool_choice`, and what it says that nobody here has a word for. */
export function readToolChoice(value: unknown): Choices & { readonly rest?: JsonValue } {
  if (value === undefined || value === null) return {};
  const choice = isJsonObject(value) ? readChoice(value) : null;
  if (choice === null) return { toolChoice: { type: 'native', protocol: PROTOCOL, value: value as JsonValue } };
  const members = value as JsonObject;
  const single = members['disable_parallel_tool_use'];
  const isTold = typeof single === 'boolean';
  const left = without(members, [
    'type',
    ...(choice.type === 'tool' ? ['name'] : []),
    ...(isTold ? ['disable_parallel_tool_use'] : []),
  ]);
  return {
    toolChoice: choice,
    ...(isTold ? { parallelToolCalls: !single } : {}),
    ...(Object.keys(left).length === 0 ? {} : { rest: left }),
  };
}

function readChoice({ type, name }: JsonObject): ToolChoice | null {
  const mode = own(MODES, type);
  if (mode !== undefined) return { type: mode };
  return type === 'tool' && typeof name === 'string' ? { type: 'tool', kind: 'function', name } : null;
}

export type WrittenChoice = {
  readonly choice: JsonObject | null;
  /** A tool is demanded. */
  readonly isForced: boolean;
  /** The tools that may be called. */
  readonly tools: readonly ToolDefinition[];
};

/**
 * Only some tools allowed: there is no word for it, but the others need not be told. A choice among no tools is refused.
 */
export function writeToolChoice(
  { toolChoice, parallelToolCalls }: Choices,
  tools: readonly ToolDefinition[],
  dropped: Dropped,
): WrittenChoice {
  const allowed = toolChoice?.type === 'allowed' ? tools.filter((tool) => isAllowed(tool, toolChoice.names)) : tools;
  const told = toolChoice?.type === 'allowed' && allowed.length === 0 ? undefined : toolChoice;
  if (told !== toolChoice) dropped.add('toolChoice');
  const left = told === undefined ? tools : allowed;
  const choice = told === undefined ? null : writeChoice(told);
  if (tools.length === 0 || (told !== undefined && choice === null)) {
    if (isDemand(told) || told?.type === 'native') dropped.add('toolChoice');
    return { choice: null, isForced: false, tools: left };
  }
  return { choice: withParallel(choice, parallelToolCalls, dropped), isForced: isDemand(told), tools: left };
}

const isAllowed = (tool: ToolDefinition, names: readonly string[]): boolean => {
  const name = toolName(tool);
  return (name !== null && names.includes(name)) || (tool.type === 'server' && names.includes(tool.what));
};

const isDemand = (choice: ToolChoice | undefined): boolean =>
  choice?.type === 'tool' || choice?.type === 'required' || (choice?.type === 'allowed' && choice.mode === 'required');

function writeChoice(choice: ToolChoice): JsonObject | null {
  if (choice.type === 'native') return choice.protocol === PROTOCOL && isJsonObject(choice.value) ? choice.value : null;
  if (choice.type === 'tool') return { type: 'tool', name: choice.name };
  return { type: WORDS[choice.type === 'allowed' ? choice.mode : choice.type] };
}

/** Calls are parallel unless told otherwise, and that is told of a choice. */
function withParallel(choice: JsonObject | null, parallel: boolean | undefined, dropped: Dropped): JsonObject | null {
  if (parallel === undefined || (choice === null && parallel)) return choice;
  const mode = choice ?? { type: 'auto' };
  if (mode['type'] !== 'none') return { ...mode, disable_parallel_tool_use: !parallel };
  if (!parallel) dropped.add('parallelToolCalls');
  return mode;
}
