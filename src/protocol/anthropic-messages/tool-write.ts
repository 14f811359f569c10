import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { FunctionTool, ServerTool, ToolChoice, ToolDefinition } from '../../core/model/tool.ts';
import type { Dropped } from '../shared/extensions.ts';
import { isJsonObject, listOf } from '../shared/json-object.ts';
import { nonEmpty } from '../shared/value.ts';
import { PROTOCOL, withExtensions, writeCache } from './members.ts';
import { type Choices, MCP_SERVER } from './tool-read.ts';

const isServer = (value: JsonValue): value is JsonObject => isJsonObject(value) && value['type'] === MCP_SERVER;

/**
 * Tools of other protocols' providers that have a twin here, in the form that most models take. What bounds them there
 * (domains, files) has other words here.
 */
const TWINS: Readonly<Record<string, JsonObject>> = {
  web_search: { type: 'web_search_20250305', name: 'web_search' },
  web_fetch: { type: 'web_fetch_20250910', name: 'web_fetch' },
  code_execution: { type: 'code_execution_20250825', name: 'code_execution' },
};

/** The tool as this protocol has it; null: it has none. */
export function serverTool({ what, protocol, value }: ServerTool): JsonObject | null {
  if (protocol === PROTOCOL) return isJsonObject(value) ? value : null;
  const twin = Object.hasOwn(TWINS, what) ? TWINS[what] : undefined;
  return twin === undefined ? null : { ...twin, ...boundsOf(what, value) };
}

/** Domains to search and where the user is, as Responses tells them. */
function boundsOf(what: string, value: JsonValue): JsonObject {
  if (what !== 'web_search' || !isJsonObject(value)) return {};
  const { filters, user_location: place } = value;
  const domains = isJsonObject(filters) ? listOf(filters['allowed_domains']) : [];
  return {
    ...(domains.length === 0 ? {} : { allowed_domains: domains }),
    ...(isJsonObject(place) && place['type'] === 'approximate' ? { user_location: place } : {}),
  };
}

export type WrittenTools = { readonly tools: readonly JsonObject[]; readonly servers: readonly JsonObject[] };

export function writeTools(definitions: readonly ToolDefinition[], dropped: Dropped): WrittenTools {
  const tools: JsonObject[] = [];
  const servers: JsonObject[] = [];
  for (const definition of definitions) {
    const built = definition.type === 'function' ? functionTool(definition) : writeOther(definition, dropped);
    if (built === null) continue;
    const written = withExtensions({ ...built, ...writeCache(definition) }, definition, dropped);
    (definition.type === 'server' && isServer(built) ? servers : tools).push(written);
  }
  return { tools, servers };
}

function writeOther(tool: Exclude<ToolDefinition, FunctionTool>, dropped: Dropped): JsonObject | null {
  const built = tool.type === 'server' ? serverTool(tool) : null;
  if (built === null) dropped.add(tool.type === 'server' ? tool.what : 'custom');
  return built;
}

const functionTool = ({ name, description, parameters, strict }: FunctionTool): JsonObject => ({
  name,
  ...(description === null ? {} : { description }),
  // A schema that doesn't say that it is of an object is refused.
  input_schema:
    parameters === null || !Object.hasOwn(parameters, 'type') ? { type: 'object', ...parameters } : parameters,
  ...(strict === null ? {} : { strict }),
});

/** The name by which a tool is chosen. */
export const toolName = (tool: ToolDefinition): string | null =>
  tool.type === 'server' ? (isJsonObject(tool.value) ? nonEmpty(tool.value['name']) : null) : tool.name;

const WORDS = { auto: 'auto', none: 'none', required: 'any' } as const;

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
