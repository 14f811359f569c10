import { isSet, type JsonIndex, kindOf, memberOf, NONE, parseNode } from '../json/index.ts';
import { elementsOf, typeOf } from '../shared/nodes.ts';
import { isObject } from '../shared/value.ts';
import { type ItemNode, toolsOf } from './outline.ts';

/** Longer names are cut in the record. */
const MAX_NAME = 64;

/**
 * Tools whose repetition harms nobody: the client runs them itself, or they only read or draw. Tools that are not here
 * run at the provider, with effects that nobody here can know. Dates behind a name (`web_search_2026_01_01`) are left
 * out.
 */
const HARMLESS_TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'tool_search',
  'programmatic_tool_calling',
  'web_search',
  'web_search_preview',
  'file_search',
  'image_generation',
  'local_shell',
  'apply_patch',
  'computer',
  'computer_use_preview',
]);

/** Tools that run code, by the member that says where. */
const CODE_TOOLS: ReadonlyMap<string, string> = new Map([
  ['code_interpreter', 'container'],
  ['shell', 'environment'],
]);

const DATE = /_\d{4}_\d{2}_\d{2}$/;

/** What a request runs outside the model, in words, each once. */
export function readEffects(index: JsonIndex, items: readonly ItemNode[]): string[] {
  const effects = new Set<string>();
  for (const tool of toolsOf(index, items)) for (const effect of effectsOf(index, tool)) effects.add(effect);
  if (items.some(({ type }) => type === 'mcp_approval_response')) effects.add('mcp tool');
  if (parseNode(index, memberOf(index, 0, 'background')) === true) effects.add('background');
  if (isSet(index, memberOf(index, 0, 'conversation'))) effects.add('conversation');
  return [...effects];
}

function effectsOf(index: JsonIndex, tool: number): readonly string[] {
  const type = typeOf(index, tool) ?? '';
  const name = type.replace(DATE, '');
  if (type === '' || HARMLESS_TOOLS.has(name)) return [];
  if (name === 'namespace') {
    return elementsOf(index, memberOf(index, tool, 'tools')).flatMap((inner) => effectsOf(index, inner));
  }
  const place = CODE_TOOLS.get(name);
  if (place !== undefined && !isOpenPlace(index, memberOf(index, tool, place))) return [];
  return [`${name.slice(0, MAX_NAME)} tool`];
}

/**
 * Code acts outside when its container is one that lasts, or may reach the network. The client's own machine and a
 * fresh, closed container are no such places.
 */
function isOpenPlace(index: JsonIndex, node: number): boolean {
  if (node === NONE || kindOf(index, node) === 'null') return false;
  const place = parseNode(index, node);
  if (!isObject<{ type?: unknown; network_policy?: unknown }>(place)) return true;
  if (place.type === 'local') return false;
  const isFresh = place.type === 'auto' || place.type === 'container_auto';
  const policy = isObject<{ type?: unknown }>(place.network_policy) ? place.network_policy.type : 'disabled';
  return !isFresh || policy !== 'disabled';
}
