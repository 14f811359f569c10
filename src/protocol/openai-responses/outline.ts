import type { Feature } from '../../core/model/capability.ts';
import { isSet, type JsonIndex, kindOf, memberAt, memberOf, NONE, parseNode, stringOf } from '../json/index.ts';
import { bytesOf, elementsOf, lengthOf, typeOf } from '../shared/nodes.ts';
import { own } from '../shared/value.ts';

/**
 * How deep a request is noted: top, input, item, content or tools, part or tool, its members. Enough for every question
 * that routing asks and for every edit; texts, schemas and images stay bytes.
 */
export const REQUEST_DEPTH = 5;

/** One item of `input`, by the nodes of its index. An item without a type is a message. */
export type ItemNode = {
  readonly node: number;
  readonly type: string;
  readonly role: string | null;
  readonly content: number;
};

/**
 * The items of `input`, each an object (none where it is one text); the place of the first that is no object otherwise.
 */
export function outlineItems(index: JsonIndex): readonly ItemNode[] | number {
  const items: ItemNode[] = [];
  for (const [position, node] of elementsOf(index, memberOf(index, 0, 'input')).entries()) {
    if (kindOf(index, node) !== 'object') return position;
    const type = stringOf(index, memberOf(index, node, 'type')) ?? 'message';
    const role = stringOf(index, memberOf(index, node, 'role'));
    items.push({ node, type, role, content: memberOf(index, node, 'content') });
  }
  return items;
}

const needOf = (index: JsonIndex, part: number): Feature | undefined => own(PART_NEEDS, typeOf(index, part));

const PART_NEEDS: Readonly<Record<string, Feature>> = {
  input_image: 'images',
  computer_screenshot: 'images',
  input_audio: 'audio',
  input_file: 'files',
};

/** What the members of the top need of the target. */
const TOP_NEEDS: readonly (readonly [need: Feature, isNeeded: (index: JsonIndex) => boolean])[] = [
  ['tools', (index) => elementsOf(index, memberOf(index, 0, 'tools')).length > 0],
  ['parallelTools', (index) => isSet(index, memberOf(index, 0, 'parallel_tool_calls'))],
  ['reasoningEffort', (index) => isSet(index, memberAt(index, 0, 'reasoning', 'effort'))],
  ['responseFormat', (index) => /^json_(schema|object)$/.test(textAt(index, 'text', 'format', 'type'))],
  ['logprobs', (index) => Number(parseNode(index, memberOf(index, 0, 'top_logprobs')) ?? 0) > 0],
  ['logprobs', (index) => includes(index, 'message.output_text.logprobs')],
];

const textAt = (index: JsonIndex, ...path: readonly string[]): string =>
  stringOf(index, memberAt(index, 0, ...path)) ?? '';

const includes = (index: JsonIndex, name: string): boolean =>
  elementsOf(index, memberOf(index, 0, 'include')).some((node) => stringOf(index, node) === name);

/** Parts of an item: of a message's content, or of what a tool has given back. */
export function partsOf(index: JsonIndex, { node, content }: ItemNode): readonly number[] {
  const output = memberOf(index, node, 'output');
  const one = output !== NONE && kindOf(index, output) === 'object' ? [output] : [];
  return [...elementsOf(index, content), ...elementsOf(index, output), ...one];
}

/** Tools of the top, and those that come as an item of the input. */
export function toolsOf(index: JsonIndex, items: readonly ItemNode[]): readonly number[] {
  const added = items.filter(({ type }) => type === 'additional_tools');
  return [0, ...added.map(({ node }) => node)].flatMap((node) => elementsOf(index, memberOf(index, node, 'tools')));
}

/** What a target must be able to do for this request. */
export function readNeeds(index: JsonIndex, items: readonly ItemNode[]): Feature[] {
  const needs = new Set<Feature>();
  for (const item of items) {
    for (const part of partsOf(index, item)) {
      const need = needOf(index, part);
      if (need !== undefined) needs.add(need);
    }
  }
  for (const [need, isNeeded] of TOP_NEEDS) if (isNeeded(index)) needs.add(need);
  if (toolsOf(index, items).length > 0) needs.add('tools');
  const last = items.at(-1);
  if (last?.type === 'message' && last.role === 'assistant') needs.add('prefill');
  return [...needs];
}

/** The client says what came of something that the model had asked for. */
const RESULT = /_output$|^mcp_approval_response$/;

export const isToolResult = (item: ItemNode | undefined): boolean => item !== undefined && RESULT.test(item.type);

/**
 * Items beyond this size hold an image, a sound, a file or a sealed thought, of which bytes say nothing about tokens.
 */
const LARGE_PART = 2048;

/** About four bytes a token, over instructions, input and tools; large parts that are no text count nothing. */
export function estimateTokens(index: JsonIndex, items: readonly ItemNode[]): number {
  let bytes = 0;
  for (const name of ['instructions', 'input', 'tools']) bytes += lengthOf(index, memberOf(index, 0, name));
  for (const item of items) {
    const parts = partsOf(index, item).filter((part) => needOf(index, part) !== undefined);
    const opaque = ['encrypted_content', 'result'].map((name) => memberOf(index, item.node, name));
    for (const node of [...parts, ...opaque]) if (lengthOf(index, node) > LARGE_PART) bytes -= lengthOf(index, node);
  }
  return Math.ceil(bytes / 4);
}

const isSystem = ({ role }: ItemNode): boolean => role === 'system' || role === 'developer';

/** Items that a client puts in by itself, on a first turn as well. */
const isOfClient = (item: ItemNode): boolean =>
  isSystem(item) || item.role === 'user' || item.type === 'additional_tools' || item.type === 'configuration_update';

/**
 * The bytes that all turns of a conversation have in common: system text, tools and the first user turn. Null on a
 * first turn, where there is nothing yet to be faithful to: the model has said nothing that the client sends back.
 */
export function prefixOf(index: JsonIndex, items: readonly ItemNode[]): readonly Uint8Array[] | null {
  const answer = items.findIndex((item) => !isOfClient(item));
  const first = items.slice(0, Math.max(answer, 0));
  if (!first.some(({ role }) => role === 'user')) return null;
  const nodes = [
    memberOf(index, 0, 'instructions'),
    memberOf(index, 0, 'tools'),
    ...first.map(({ node, content }) => (content === NONE ? node : content)),
  ];
  return nodes.map((node) => bytesOf(index, node));
}
