import type { Feature } from '../../core/model/capability.ts';
import {
  childrenOf,
  isKey,
  isSet,
  type JsonIndex,
  keyStartOf,
  kindOf,
  memberAt,
  memberOf,
  NONE,
  parseNode,
  stringOf,
  valueEnd,
} from '../json/index.ts';
import { bytesOf, elementsOf, lengthOf, typeOf } from '../shared/nodes.ts';

/**
 * How deep a request is noted: top, messages, message, content, block, content of a tool's result, its parts, their
 * members. Enough for every question that routing asks and for every edit; texts and images stay bytes.
 */
export const REQUEST_DEPTH = 7;

/** One item of `messages`, by the nodes of its index. */
export type MessageNode = {
  readonly node: number;
  readonly role: string;
  readonly content: number;
  /** Blocks of its content; none for a text. */
  readonly blocks: readonly number[];
};

/** The list of messages, each an object with a role; the place of the first that is none otherwise. */
export function outlineMessages(index: JsonIndex): readonly MessageNode[] | number {
  const messages: MessageNode[] = [];
  for (const [position, node] of elementsOf(index, memberOf(index, 0, 'messages')).entries()) {
    const role = kindOf(index, node) === 'object' ? stringOf(index, memberOf(index, node, 'role')) : null;
    if (role === null) return position;
    const content = memberOf(index, node, 'content');
    messages.push({ node, role, content, blocks: elementsOf(index, content) });
  }
  return messages;
}

/** Blocks of all messages, those inside the results of tools too. */
export function* partsOf(index: JsonIndex, messages: readonly MessageNode[]): Generator<number> {
  for (const { blocks } of messages) {
    for (const block of blocks) {
      yield block;
      if (typeOf(index, block) === 'tool_result') yield* elementsOf(index, memberOf(index, block, 'content'));
    }
  }
}

const PART_NEEDS: Readonly<Record<string, Feature>> = {
  image: 'images',
  document: 'files',
  container_upload: 'files',
};

const needOf = (index: JsonIndex, part: number): Feature | undefined => {
  const type = typeOf(index, part) ?? '';
  return Object.hasOwn(PART_NEEDS, type) ? PART_NEEDS[type] : undefined;
};

/** What the members of the top need of the target. */
const TOP_NEEDS: readonly (readonly [need: Feature, isNeeded: (index: JsonIndex) => boolean])[] = [
  ['tools', (index) => elementsOf(index, memberOf(index, 0, 'tools')).length > 0],
  ['parallelTools', (index) => isSet(index, memberAt(index, 0, 'tool_choice', 'disable_parallel_tool_use'))],
  ['reasoningEffort', (index) => isSet(index, memberAt(index, 0, 'output_config', 'effort'))],
  ['responseFormat', (index) => isSet(index, memberAt(index, 0, 'output_config', 'format'))],
  ['responseFormat', (index) => isSet(index, memberOf(index, 0, 'output_format'))],
];

/** What a target must be able to do for this request. */
export function readNeeds(index: JsonIndex, messages: readonly MessageNode[]): Feature[] {
  const needs = new Set<Feature>();
  for (const part of partsOf(index, messages)) {
    const need = needOf(index, part);
    if (need !== undefined) needs.add(need);
  }
  for (const [need, isNeeded] of TOP_NEEDS) if (isNeeded(index)) needs.add(need);
  if (isPrefilled(index, messages)) needs.add('prefill');
  return [...needs];
}

/**
 * The last turn is the assistant's own beginning. (A turn that was paused ends with a tool's block and just goes on.)
 */
function isPrefilled(index: JsonIndex, messages: readonly MessageNode[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return false;
  const block = last.blocks.at(-1);
  return block === undefined || typeOf(index, block) === 'text';
}

/** Notes for the turn are no input of their own. */
export function endsWithToolResult(index: JsonIndex, messages: readonly MessageNode[]): boolean {
  const last = messages.findLast(({ role }) => role !== 'system');
  const block = last?.role === 'user' ? last.blocks.at(-1) : undefined;
  return block !== undefined && typeOf(index, block) === 'tool_result';
}

/**
 * Tools whose repetition harms nobody: the client runs them itself, or they only read. Any other runs at the provider,
 * with effects that nobody here can know.
 */
const HARMLESS_TOOLS =
  /^(custom|function|(bash|text_editor|computer|computer_toolset|browser_toolset|memory)(_\d+)?|(web_search|web_fetch|advisor)(_\d+)?|tool_search_tool_.*)$/;

export function readEffects(index: JsonIndex): string[] {
  const effects = new Set<string>();
  for (const tool of elementsOf(index, memberOf(index, 0, 'tools'))) {
    const type = typeOf(index, tool);
    if (type !== null && !HARMLESS_TOOLS.test(type)) effects.add(`${type.slice(0, 64)} tool`);
  }
  if (elementsOf(index, memberOf(index, 0, 'mcp_servers')).length > 0) effects.add('mcp server');
  return [...effects];
}

/** A part beyond this size is an image or a file, of which bytes say nothing about tokens. */
const LARGE_PART = 2048;

/** About four bytes a token, over messages, system text and tools; large parts that are no text count nothing. */
export function estimateTokens(index: JsonIndex, messages: readonly MessageNode[]): number {
  let bytes = 0;
  for (const name of ['messages', 'system', 'tools']) bytes += lengthOf(index, memberOf(index, 0, name));
  for (const part of partsOf(index, messages)) {
    const length = lengthOf(index, part);
    if (length > LARGE_PART && needOf(index, part) !== undefined) bytes -= length;
  }
  return Math.ceil(bytes / 4);
}

/** What agents write into their system text about themselves and that varies by session. */
const BILLING_BLOCK = 'x-anthropic-billing-header';

/**
 * The bytes that all turns of a conversation have in common: system text, tools and the first user turn. Cache marks
 * wander from turn to turn and are left out. Null on a first turn, where there is nothing yet to be faithful to.
 */
export function prefixOf(index: JsonIndex, messages: readonly MessageNode[]): readonly Uint8Array[] | null {
  const [first, second] = messages.filter(({ role }) => role === 'user');
  if (first === undefined || second === undefined) return null;
  return [
    ...contentBytes(index, memberOf(index, 0, 'system')),
    ...elementsOf(index, memberOf(index, 0, 'tools')).flatMap((tool) => objectBytes(index, tool)),
    ...contentBytes(index, first.content),
  ];
}

/** A text, and a list of one block with the same text, are the same. */
function contentBytes(index: JsonIndex, node: number): Uint8Array[] {
  if (node === NONE || kindOf(index, node) !== 'array') return [bytesOf(index, node)];
  return elementsOf(index, node).flatMap((block) => {
    const text = typeOf(index, block) === 'text' ? memberOf(index, block, 'text') : NONE;
    if (text === NONE) return objectBytes(index, block);
    return isBilling(index, text) ? [] : [bytesOf(index, text)];
  });
}

const isBilling = (index: JsonIndex, text: number): boolean =>
  kindOf(index, text) === 'string' && String(parseNode(index, text)).startsWith(BILLING_BLOCK);

function objectBytes(index: JsonIndex, node: number): Uint8Array[] {
  if (kindOf(index, node) !== 'object') return [bytesOf(index, node)];
  return childrenOf(index, node)
    .filter((member) => !isKey(index, member, 'cache_control'))
    .map((member) => index.bytes.subarray(keyStartOf(index, member), valueEnd(index, member)));
}
