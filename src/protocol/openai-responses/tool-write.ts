import type { JsonObject } from '../../core/model/json-value.ts';
import type { ServerTool, ToolChoice, ToolDefinition } from '../../core/model/tool.ts';
import { given, isJsonObject } from '../shared/json-object.ts';
import { markOf, PROTOCOL, riders } from './members.ts';
import { isCustom } from './tool-read.ts';
import { dropForeign, type WriteContext } from './write-context.ts';

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** Tools as the request has them, and the items that bring some of them, with their places in the input. */
export type WrittenTools = {
  readonly tools: readonly JsonObject[];
  readonly items: readonly { readonly at: number; readonly item: JsonObject }[];
};

/**
 * A search in the web is the same tool everywhere, but for its members: those that mean the same are carried, the others
 * named. Null for every other tool that a provider of another protocol runs.
 */
function foreignServerTool({ what, value }: ServerTool, { dropped }: WriteContext): JsonObject | null {
  if (what !== 'web_search') return null;
  const members = isJsonObject(value) ? value : {};
  const { allowed_domains: domains, user_location: place, ...others } = members;
  for (const name of Object.keys(others)) if (name !== 'type' && name !== 'name') dropped.add(name);
  return {
    type: 'web_search',
    ...(Array.isArray(domains) ? { filters: { allowed_domains: domains } } : {}),
    ...(isJsonObject(place) ? { user_location: place } : {}),
  };
}

/** Can this protocol say it, in its own words or in common ones? */
export const isSayable = (tool: ToolDefinition): boolean =>
  tool.type !== 'server' || tool.protocol === PROTOCOL || tool.what === 'web_search';

function writeServer(tool: ServerTool, context: WriteContext): JsonObject | null {
  if (tool.protocol === PROTOCOL) return isJsonObject(tool.value) ? tool.value : null;
  const written = foreignServerTool(tool, context);
  if (written === null) context.dropped.add(tool.what);
  return written;
}

function writeTool(tool: ToolDefinition, context: WriteContext): JsonObject | null {
  dropForeign(tool, context);
  if (tool.cache !== undefined) context.dropped.add('cache');
  if (tool.type === 'server') return writeServer(tool, context);
  const { name, description } = tool;
  const named = { type: tool.type, name, ...given({ description }) };
  if (tool.type === 'custom') {
    const { grammar } = tool;
    return { ...named, ...given({ format: grammar && { type: 'grammar', ...grammar } }), ...riders(tool) };
  }
  // What is not said is strict here, and nowhere else.
  const strict = tool.strict ?? (context.isOwn ? null : false);
  const parameters = tool.parameters ?? (context.isOwn ? null : NO_PARAMETERS);
  return { ...named, parameters, strict, ...riders(tool) };
}

type Group = { readonly namespace: string; readonly members: JsonObject; readonly tools: JsonObject[] };

/** A list of tools, with namespaces put together again. */
function listOf(tools: readonly ToolDefinition[], context: WriteContext): readonly JsonObject[] {
  const list: (JsonObject | Group)[] = [];
  let group: Group | null = null;
  for (const tool of tools) {
    const written = writeTool(tool, context);
    const namespace = tool.type === 'server' ? undefined : tool.namespace;
    const mark = markOf(tool, '$namespace');
    if (namespace === undefined) group = null;
    else if (group === null || group.namespace !== namespace || mark !== undefined) {
      group = { namespace, members: isJsonObject(mark) ? mark : {}, tools: [] };
      list.push(group);
    }
    if (written !== null) (group?.tools ?? list).push(written);
  }
  return list.map((entry) => (isGroup(entry) ? namespaceOf(entry) : entry));
}

const isGroup = (entry: JsonObject | Group): entry is Group => !('type' in entry);

const namespaceOf = ({ namespace, members, tools }: Group): JsonObject => ({
  type: 'namespace',
  name: namespace,
  ...members,
  tools,
});

/** All tools. Those that came in an item go into one again; what a search has found stands in its result. */
export function writeTools(tools: readonly ToolDefinition[], context: WriteContext): WrittenTools {
  const items = new Map<number, { members: JsonObject; tools: ToolDefinition[] }>();
  const plain: ToolDefinition[] = [];
  for (const tool of tools) {
    if (markOf(tool, '$found') !== undefined) continue;
    const mark = markOf(tool, '$additional_tools');
    if (!isJsonObject(mark)) {
      plain.push(tool);
      continue;
    }
    const { at, ...members } = mark;
    const place = typeof at === 'number' ? at : 0;
    const item = items.get(place) ?? { members, tools: [] };
    items.set(place, item);
    item.tools.push(tool);
  }
  return {
    tools: listOf(plain, context),
    items: [...items]
      .toSorted(([a], [b]) => a - b)
      .map(([at, item]) => ({
        at,
        item: { type: 'additional_tools', role: 'developer', ...item.members, tools: listOf(item.tools, context) },
      })),
  };
}

/** Which tool is to be called; null: another protocol's words. */
export function writeToolChoice(choice: ToolChoice, tools: readonly ToolDefinition[]): JsonObject[string] {
  switch (choice.type) {
    case 'tool':
      return { type: choice.kind, name: choice.name, ...given({ namespace: choice.namespace }) };
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.mode,
        tools: choice.names.map((name) => ({ type: isCustom(name, tools) ? 'custom' : 'function', name })),
      };
    case 'native':
      return choice.protocol === PROTOCOL ? choice.value : null;
    default:
      return choice.type;
  }
}
