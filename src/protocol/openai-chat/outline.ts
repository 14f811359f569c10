import type { Feature } from '../../core/model/capability.ts';
import { isSet, isString, type JsonIndex, kindOf, memberAt, memberOf, parseNode, stringOf } from '../json/index.ts';
import { bytesOf, elementsOf, lengthOf, typeOf } from '../shared/nodes.ts';

export { elementsOf };

/**
 * How deep a request is noted: top, messages, message, tool_calls or content, call or part, its members. Enough for
 * every question that routing asks and for every edit; texts, schemas and images stay bytes.
 */
export const REQUEST_DEPTH = 5;

/** One item of `messages`, by the nodes of its index. */
export type MessageNode = { readonly node: number; readonly role: string | null; readonly content: number };

/** The list of messages, each an object; the place of the first that is none otherwise. */
export function outlineMessages(index: JsonIndex): readonly MessageNode[] | number {
  const messages: MessageNode[] = [];
  for (const [position, node] of elementsOf(index, memberOf(index, 0, 'messages')).entries()) {
    if (kindOf(index, node) !== 'object') return position;
    const role = stringOf(index, memberOf(index, node, 'role'));
    messages.push({ node, role, content: memberOf(index, node, 'content') });
  }
  return messages;
}

const PART_NEEDS: readonly (readonly [type: string, need: Feature])[] = [
  ['image_url', 'images'],
  ['input_image', 'images'],
  ['input_audio', 'audio'],
  ['file', 'files'],
  ['input_file', 'files'],
];

/** What a part of a content needs of the target, by its `type`. */
function needOf(index: JsonIndex, part: number): Feature | undefined {
  const type = memberOf(index, part, 'type');
  return PART_NEEDS.find(([name]) => isString(index, type, name))?.[1];
}

/** What the members of the top need of the target. */
const TOP_NEEDS: readonly (readonly [need: Feature, isNeeded: (index: JsonIndex) => boolean])[] = [
  ['tools', (index) => hasElements(index, 'tools') || hasElements(index, 'functions')],
  ['parallelTools', (index) => isSet(index, memberOf(index, 0, 'parallel_tool_calls'))],
  ['reasoningEffort', (index) => isSet(index, memberOf(index, 0, 'reasoning_effort'))],
  ['reasoningEffort', (index) => isSet(index, memberAt(index, 0, 'reasoning', 'effort'))],
  ['responseFormat', (index) => /^json_(schema|object)$/.test(textAt(index, 'response_format', 'type'))],
  ['logprobs', (index) => parseNode(index, memberOf(index, 0, 'logprobs')) === true],
  [
    'audio',
    (index) => elementsOf(index, memberOf(index, 0, 'modalities')).some((node) => stringOf(index, node) === 'audio'),
  ],
];

const hasElements = (index: JsonIndex, name: string): boolean => elementsOf(index, memberOf(index, 0, name)).length > 0;

const textAt = (index: JsonIndex, ...path: readonly string[]): string =>
  stringOf(index, memberAt(index, 0, ...path)) ?? '';

/** What a target must be able to do for this request. */
export function readNeeds(index: JsonIndex, messages: readonly MessageNode[], choices: number): Feature[] {
  const needs = new Set<Feature>();
  for (const { content } of messages) {
    for (const part of elementsOf(index, content)) {
      const need = needOf(index, part);
      if (need !== undefined) needs.add(need);
    }
  }
  for (const [need, isNeeded] of TOP_NEEDS) if (isNeeded(index)) needs.add(need);
  if (choices > 1) needs.add('n');
  if (messages.at(-1)?.role === 'assistant') needs.add('prefill');
  return [...needs];
}

/**
 * Tools whose repetition harms nobody: the client runs them itself, or they only read. Any other runs at the provider,
 * with effects that nobody here can know.
 */
const HARMLESS_TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'web_search',
  'web_search_preview',
  'browser_search',
  'file_search',
]);

export function readEffects(index: JsonIndex): string[] {
  const effects = new Set<string>();
  for (const tool of elementsOf(index, memberOf(index, 0, 'tools'))) {
    const type = typeOf(index, tool);
    if (type !== null && !HARMLESS_TOOLS.has(type)) effects.add(`${type.slice(0, 64)} tool`);
  }
  return [...effects];
}

/** A part beyond this size is an image, a sound or a file, of which bytes say nothing about tokens. */
const LARGE_PART = 2048;

/** About four bytes a token, over messages and tools; large parts that are no text count nothing. */
export function estimateTokens(index: JsonIndex, messages: readonly MessageNode[]): number {
  let bytes = lengthOf(index, memberOf(index, 0, 'messages')) + lengthOf(index, memberOf(index, 0, 'tools'));
  for (const { content } of messages) {
    for (const part of elementsOf(index, content)) {
      const length = lengthOf(index, part);
      if (length > LARGE_PART && needOf(index, part) !== undefined) bytes -= length;
    }
  }
  return Math.ceil(bytes / 4);
}

/**
 * The bytes that all turns of a conversation have in common: system text, tools and the first user turn. Null on a
 * first turn, where there is nothing yet to be faithful to.
 */
export function prefixOf(index: JsonIndex, messages: readonly MessageNode[]): readonly Uint8Array[] | null {
  const users = messages.filter(({ role }) => role === 'user');
  const [first] = users;
  if (first === undefined || users.length < 2) return null;
  const systems = messages.filter(({ role }) => role === 'system' || role === 'developer');
  const nodes = [...systems.map(({ content }) => content), memberOf(index, 0, 'tools'), first.content];
  return nodes.map((node) => bytesOf(index, node));
}
