import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { CustomTool, FunctionTool, ServerTool, ToolChoice, ToolDefinition } from '../../core/model/tool.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { isObject, nonEmpty, own } from '../shared/value.ts';
import { extended, ownMembers, PROTOCOL, restOf } from './members.ts';

/** Tools that several protocols have, by the types that they have here. */
const SERVER_TOOLS: Readonly<Record<string, ServerTool['what']>> = {
  web_search: 'web_search',
  web_search_2025_08_26: 'web_search',
  web_search_preview: 'web_search',
  web_search_preview_2025_03_11: 'web_search',
  file_search: 'file_search',
  computer: 'computer',
  computer_use: 'computer',
  computer_use_preview: 'computer',
  code_interpreter: 'code_execution',
  mcp: 'mcp',
  tool_search: 'tool_search',
};

function serverTool(value: JsonValue): ServerTool {
  const type = isObject(value) ? (nonEmpty(value['type']) ?? 'unknown') : 'unknown';
  return { type: 'server', what: own(SERVER_TOOLS, type) ?? type, protocol: PROTOCOL, value };
}

const descriptionOf = (tool: JsonObject): string | null =>
  typeof tool['description'] === 'string' ? tool['description'] : null;

function readFunction(tool: JsonObject, name: string): FunctionTool | null {
  const { parameters = null, strict = null, description = null } = tool;
  if (parameters !== null && !isJsonObject(parameters)) return null;
  if (strict !== null && typeof strict !== 'boolean') return null;
  if (description !== null && typeof description !== 'string') return null;
  const rest = restOf(tool, 'type', 'name', 'description', 'parameters', 'strict');
  return { type: 'function', name, description, parameters, strict, ...extended(rest) };
}

function readCustom(tool: JsonObject, name: string): CustomTool | null {
  const { format = null } = tool;
  const known = ['type', 'name', 'format', ...(descriptionOf(tool) === null ? [] : ['description'])];
  const common = {
    type: 'custom',
    name,
    description: descriptionOf(tool),
    ...extended(restOf(tool, ...known)),
  } as const;
  if (format === null) return { ...common, grammar: null };
  if (!isJsonObject(format)) return null;
  if (format['type'] === 'text') return { ...common, grammar: null };
  const { type, syntax, definition } = format;
  if (type !== 'grammar' || typeof syntax !== 'string' || typeof definition !== 'string') return null;
  return { ...common, grammar: { syntax, definition } };
}

function readClientTool(tool: JsonValue): FunctionTool | CustomTool | null {
  if (!isJsonObject(tool)) return null;
  const name = nonEmpty(tool['name']);
  if (name === null) return null;
  if (tool['type'] === 'function') return readFunction(tool, name);
  return tool['type'] === 'custom' ? readCustom(tool, name) : null;
}

/** The tools of a namespace, the first with what else the namespace says; null: they are of no form that is known. */
function readNamespace(tool: JsonObject): readonly ToolDefinition[] | null {
  const namespace = nonEmpty(tool['name']);
  const list = tool['tools'];
  if (namespace === null || !Array.isArray(list) || list.length === 0) return null;
  const tools = list.map(readClientTool);
  const rest = restOf(tool, 'type', 'name', 'tools');
  return tools.every((inner) => inner !== null)
    ? tools.map((inner, at) => ({
        ...inner,
        namespace,
        ...(at === 0 ? extended({ ...ownMembers(inner), $namespace: rest }) : {}),
      }))
    : null;
}

/** A list of tools; namespaces are taken apart. */
export function readTools(list: readonly JsonValue[]): readonly ToolDefinition[] {
  return list.flatMap((tool): readonly ToolDefinition[] => {
    const isNamespace = isJsonObject(tool) && tool['type'] === 'namespace';
    const client = readClientTool(tool);
    if (client !== null) return [client];
    return (isNamespace ? readNamespace(tool) : null) ?? [serverTool(tool)];
  });
}

/** The tools of an item that brings tools; each knows where it came from. */
export function readToolItem(item: JsonObject, at: number): readonly ToolDefinition[] {
  const list = item['tools'];
  const members = { at, ...restOf(item, 'type', 'tools', ...(item['role'] === 'developer' ? ['role'] : [])) };
  return readTools(Array.isArray(list) ? list : []).map((tool) => ({
    ...tool,
    ...extended({ ...ownMembers(tool), $additional_tools: members }),
  }));
}

/** What the results of a client's own search over its tools have brought: they may be called from there on. */
export const SEARCH_RESULT = 'tool_search_output';

/** The tools that searches have brought and nobody else, each once. */
export function readFoundTools(
  items: readonly JsonObject[],
  known: readonly ToolDefinition[],
): readonly ToolDefinition[] {
  const names = new Set(known.map(fullName));
  const found: ToolDefinition[] = [];
  for (const { type, tools } of items) {
    if (type !== SEARCH_RESULT || !Array.isArray(tools)) continue;
    for (const tool of readTools(tools)) {
      const name = fullName(tool);
      if (tool.type === 'server' || names.has(name)) continue;
      names.add(name);
      found.push({ ...tool, ...extended({ ...ownMembers(tool), $found: true }) });
    }
  }
  return found;
}

const fullName = (tool: ToolDefinition): string =>
  tool.type === 'server' ? `server ${tool.what}` : JSON.stringify([tool.namespace ?? null, tool.name]);

/** Is it a custom tool that has this name? Names of tools in namespaces are told with their namespace. */
export const isCustom = (name: string, tools: readonly ToolDefinition[]): boolean =>
  tools.some((tool) => tool.type === 'custom' && tool.name === name);

/** The names of the tools of `allowed_tools`; null: some are more than a name. */
function readAllowed(list: JsonValue | undefined, tools: readonly ToolDefinition[]): readonly string[] | null {
  if (!Array.isArray(list)) return null;
  const names = list.map((tool: JsonValue) => {
    if (!isJsonObject(tool) || Object.keys(tool).length !== 2) return null;
    const name = nonEmpty(tool['name']);
    return name !== null && tool['type'] === (isCustom(name, tools) ? 'custom' : 'function') ? name : null;
  });
  return names.every((name) => name !== null) ? names : null;
}

/** The one tool that is to be called; null: it is told otherwise. */
function readOne(choice: JsonObject): ToolChoice | null {
  const { type } = choice;
  const name = nonEmpty(choice['name']);
  const namespace = nonEmpty(choice['namespace']);
  const isPlain = Object.keys(restOf(choice, 'type', 'name', 'namespace')).length === 0;
  if ((type !== 'function' && type !== 'custom') || name === null || !isPlain) return null;
  return { type: 'tool', kind: type, name, ...(namespace === null ? {} : { namespace }) };
}

function readSome(choice: JsonObject, tools: readonly ToolDefinition[]): ToolChoice | null {
  const { type, mode } = choice;
  const isPlain = type === 'allowed_tools' && Object.keys(choice).length === 3;
  const names = isPlain ? readAllowed(choice['tools'], tools) : null;
  return names !== null && (mode === 'auto' || mode === 'required') ? { type: 'allowed', mode, names } : null;
}

/** Which tool is to be called; null: nothing is said. */
export function readToolChoice(choice: JsonValue, tools: readonly ToolDefinition[]): ToolChoice | null {
  if (choice === null) return null;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice };
  const read = isJsonObject(choice) ? (readOne(choice) ?? readSome(choice, tools)) : null;
  return read ?? { type: 'native', protocol: PROTOCOL, value: choice };
}
