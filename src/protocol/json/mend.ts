import { appendMembers, type Edit, removeMembers, replaceValue } from './edit.ts';
import { childrenOf, decodeUtf8, kindOf, memberOf } from './read.ts';
import { type JsonIndex, NONE, valueEnd, valueStart } from './scan.ts';

/**
 * A change of one value, by its path from the root. `set` adds the member where it is missing; `stringify` puts the
 * value's own text into a string; `remove` takes the member or element away. A path that leads nowhere changes nothing.
 */
export type Mend = {
  readonly path: readonly (string | number)[];
  readonly change: { readonly set: string } | 'remove' | 'stringify';
};

/** The edits of all mends. The index must be as deep as the longest path. Costs what one look at each node costs. */
export function mendEdits(index: JsonIndex, mends: readonly Mend[]): Edit[] {
  const edits: Edit[] = [];
  const appended = new Map<number, string[]>();
  const removed = new Map<number, Set<number>>();
  const step = createStepper(index);
  for (const { path, change } of mends) {
    const name = path.at(-1);
    const parent = name === undefined ? NONE : walk(path, path.length - 1, step);
    if (parent === NONE || name === undefined) continue;
    const node = step(parent, name);
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
  for (const [parent, nodes] of removed) {
    for (const edit of removeMembers(index, parent, (node) => nodes.has(node))) edits.push(edit);
  }
  return edits;
}

type Stepper = (node: number, step: string | number) => number;

function walk(path: readonly (string | number)[], length: number, step: Stepper): number {
  let node = 0;
  for (let at = 0; at < length && node !== NONE; at++) node = step(node, path[at] as string | number);
  return node;
}

/** From a container to its member or element. Many mends share their ways: each step is searched for once. */
function createStepper(index: JsonIndex): Stepper {
  const members = new Map<number, Map<string, number>>();
  const elements = new Map<number, readonly number[]>();
  return (node, step) => {
    if (typeof step === 'string') {
      return into(
        into(members, node, () => new Map<string, number>()),
        step,
        () => memberOf(index, node, step),
      );
    }
    if (kindOf(index, node) !== 'array') return NONE;
    return into(elements, node, () => childrenOf(index, node))[step] ?? NONE;
  };
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
