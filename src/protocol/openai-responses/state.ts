import {
  type Edit,
  EMPTY,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  removeMembers,
  stringOf,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { elementsOf } from '../shared/nodes.ts';
import type { RequestState } from '../types.ts';
import type { ItemNode } from './outline.ts';
import { isSealed } from './seal.ts';

/** Members that hold what only the provider that wrote them can read. */
const SEALED: readonly string[] = ['encrypted_content', 'signature'];

/** Items that are nothing without their id. The ids of all others only tell where their issuer keeps them. */
const NEEDS_ID: ReadonlySet<string> = new Set([
  'item_reference',
  'web_search_call',
  'file_search_call',
  'computer_call',
  'code_interpreter_call',
  'image_generation_call',
  'local_shell_call',
  'local_shell_call_output',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'program',
]);

/** A conversation in sealed form: without it the rest is half of what was said. */
const isCompaction = ({ type }: ItemNode): boolean => isSealed(type);

/** A thought of the model: sealed, or kept by its issuer under an id. The conversation is whole without it. */
const isThought = (index: JsonIndex, { type, node }: ItemNode): boolean =>
  type === 'reasoning' || (type === 'item_reference' && (textOf(index, node, 'id') ?? '').startsWith('rs_'));

const textOf = (index: JsonIndex, node: number, name: string): string | null =>
  stringOf(index, memberOf(index, node, name));

const isForeign = (index: JsonIndex, item: ItemNode, member: number): boolean =>
  SEALED.some((name) => isKey(index, member, name)) || (!NEEDS_ID.has(item.type) && isKey(index, member, 'id'));

/** What another issuer could not read, taken out of the items: thoughts as a whole, of other items ids and seals. */
export function stateEdits(index: JsonIndex, items: readonly ItemNode[]): Edit[] {
  const thoughts = new Set(items.filter((item) => isThought(index, item)).map(({ node }) => node));
  const edits: Edit[] = removeElements(
    index,
    items.map(({ node }) => node),
    thoughts,
  );
  for (const item of items) {
    if (thoughts.has(item.node) || isCompaction(item)) continue;
    for (const object of [item.node, ...elementsOf(index, item.content)]) {
      if (kindOf(index, object) !== 'object') continue;
      const isGone = (member: number): boolean =>
        object === item.node ? isForeign(index, item, member) : SEALED.some((name) => isKey(index, member, name));
      for (const edit of removeMembers(index, object, isGone)) edits.push(edit);
    }
  }
  return edits;
}

/** Takes elements out of a list, each with one of its commas. `nodes` are all elements of the list. */
function removeElements(index: JsonIndex, nodes: readonly number[], gone: ReadonlySet<number>): Edit[] {
  const edits: Edit[] = [];
  let isFirst = true;
  for (const [position, node] of nodes.entries()) {
    if (!gone.has(node)) {
      isFirst = false;
      continue;
    }
    const before = nodes[position - 1];
    const behind = nodes[position + 1];
    // With nothing kept in front of it, an element takes the comma behind it along, else the one before.
    const start = isFirst || before === undefined ? valueStart(index, node) : valueEnd(index, before);
    const end = isFirst && behind !== undefined ? valueStart(index, behind) : valueEnd(index, node);
    edits.push({ start, end, text: EMPTY });
  }
  return edits;
}

/** Which state of an issuer the request leans on. */
export function readState(index: JsonIndex, items: readonly ItemNode[]): RequestState {
  const isBoundItem = (item: ItemNode): boolean =>
    isCompaction(item) ? isSet(index, memberOf(index, item.node, 'encrypted_content')) : isReference(index, item);
  const isBoundMember = (name: string): boolean => isSet(index, memberOf(index, 0, name));
  return {
    removable: stateEdits(index, items).length > 0,
    bound: ['previous_response_id', 'conversation'].some(isBoundMember) || items.some(isBoundItem),
  };
}

const isReference = (index: JsonIndex, item: ItemNode): boolean =>
  item.type === 'item_reference' && !isThought(index, item) && memberOf(index, item.node, 'id') !== NONE;
