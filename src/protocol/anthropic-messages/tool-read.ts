import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { PromptSettings } from '../../core/model/prompt.ts';
import type { ToolChoice, ToolDefinition } from '../../core/model/tool.ts';
import { isJsonObject, listOf, without } from '../shared/json-object.ts';
import { nonEmpty, own } from '../shared/value.ts';
import { extended, PROTOCOL, readCache } from './members.ts';

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
export const MCP_SERVER = 'url';

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

export type Choices = Pick<PromptSettings, 'toolChoice' | 'parallelToolCalls'>;

const MODES: Readonly<Record<string, 'auto' | 'none' | 'required'>> = { auto: 'auto', none: 'none', any: 'required' };

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
