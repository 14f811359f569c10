import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { FunctionTool, ServerTool, ToolDefinition } from '../../core/model/tool.ts';
import type { Dropped } from '../shared/extensions.ts';
import { isJsonObject, listOf, without } from '../shared/json-object.ts';
import { nonEmpty } from '../shared/value.ts';
import { extended, PROTOCOL, readCache, withExtensions, writeCache } from './members.ts';

/** What a tool of the provider's own making is called over all protocols, by its type. */
const KINDS: readonly (readonly [type: RegExp, what: string])[] = [
  [/^web_search(_|$)/, 'web_search'],
  [/^web_fetch(_|$)/, 'web_fetch'],
  [/^code_execution(_|$)/, 'code_execution'],
  [/^computer(_|$)/, 'computer'],
  [/^tool_search_tool_/, 'tool_search'],
  [/^mcp_toolset(_|$)/, 'mcp'],
  [/^bash(_|$)/, 'bash'],
  [/^text_editor(_|$)/, 'text_editor'],
  [/^memory(_|$)/, 'memory'],
];

/** A server of `mcp_servers`: in one list with the tools, since it is one for whoever weighs what a request needs. */
const MCP_SERVER = 'url';

const isServer = (value: JsonValue): value is JsonObject => isJsonObject(value) && value['type'] === MCP_SERVER;

/** `tools` and `mcp_servers`; what is no object there says nothing. */
export function readTools(tools: unknown, servers: unknown): readonly ToolDefinition[] {
  return [
    ...listOf(tools).flatMap((tool) => (isJsonObject(tool) ? [readTool(tool)] : [])),
    ...listOf(servers).flatMap((server): ToolDefinition[] =>
      isJsonObject(server)
        ? [{ type: 'server', what: 'mcp', protocol: PROTOCOL, value: { type: MCP_SERVER, ...server } }]
        : [],
    ),
  ];
}

function readTool(tool: JsonObject): ToolDefinition {
  const type = nonEmpty(tool['type']);
  const { cache, rest } = readCache(tool['cache_control']);
  const marked = cache === undefined ? {} : { cache };
  if (type !== null && type !== 'custom') {
    const what = KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? type;
    const value = { ...without(tool, ['cache_control']), ...rest };
    return { type: 'server', what, protocol: PROTOCOL, value, ...marked };
  }
  const { name, description, input_schema: schema, strict } = tool;
  const isKnown = typeof description === 'string' || description === undefined || description === null;
  const known = ['type', 'name', 'cache_control', 'input_schema', ...(isKnown ? ['description'] : [])];
  const left = without(tool, [...known, ...(typeof strict === 'boolean' ? ['strict'] : [])]);
  return {
    type: 'function',
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : null,
    parameters: isJsonObject(schema) ? schema : null,
    strict: typeof strict === 'boolean' ? strict : null,
    ...marked,
    ...extended({ ...left, ...rest }),
  };
}

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
