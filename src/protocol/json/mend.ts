import { appendMembers, type Edit, removeMembers, replaceValue } from './edit.ts';
import { childrenOf, decodeUtf8, kindOf, memberOf } from './read.ts';
import { type JsonIndex, NONE, valueEnd, valueStart } from './scan.ts';

/**
 * A change of one value, by its path from the root. `set` adds the member where it is missing; `stringify` puts the
 * value's own text into a string; `remove` takes the member away. A path that leads nowhere changes nothing.
 */
export type Mend = {
  readonly path: readonly (string | number)[];
  readonly change: { readonly set: string } | 'remove' | 'stringify';
};

/** The edits of all mends. The index must be as deep as the longest path. */
export function mendEdits(index: JsonIndex, mends: readonly Mend[]): Edit[] {
  const edits: Edit[] = [];
  const appended = new Map<number, string[]>();
  const removed = new Map<number, Set<number>>();
  for (const { path, change } of mends) {
    const parent = nodeAt(index, path.slice(0, -1));
    const name = path[path.length - 1];
    if (parent === NONE || name === undefined) continue;
    const node = stepTo(index, parent, name);
    if (change === 'remove') {
      if (node !== NONE) into(removed, parent, () => new Set<number>()).add(node);
    } else if (change === 'stringify') {
      if (node !== NONE) edits.push(replaceValue(index, node, JSON.stringify(textOf(index, node))));
    } else if (node !== NONE) edits.push(replaceValue(index, node, change.set));
    else if (kindOf(index, parent) === 'object') {
      into(appended, parent, () => []).push(`${JSON.stringify(name)}:${change.set}`);
    }
  }
  for (const [parent, members] of appended) edits.push(appendMembers(index, parent, members.join(',')));
  for (const [parent, nodes] of removed) edits.push(...removeMembers(index, parent, (node) => nodes.has(node)));
  return edits;
}

export function nodeAt(index: JsonIndex, path: readonly (string | number)[]): number {
  let node = 0;
  for (const step of path) {
    node = stepTo(index, node, step);
    if (node === NONE) break;
  }
  return node;
}

function stepTo(index: JsonIndex, node: number, step: string | number): number {
  if (typeof step === 'string') return memberOf(index, node, step);
  return kindOf(index, node) === 'array' ? (childrenOf(index, node)[step] ?? NONE) : NONE;
}

const textOf = (index: JsonIndex, node: number): string =>
  decodeUtf8(index.bytes.subarray(valueStart(index, node), valueEnd(index, node)));

function into<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
