import { type JsonIndex, keyEndOf, keyStartOf, NONE, nodeBehind, valueEnd, valueStart } from './scan.ts';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

export function kindOf(index: JsonIndex, node: number): JsonKind {
  switch (index.bytes[valueStart(index, node)]) {
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case 0x22:
      return 'string';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

/** The members or elements that were noted of a container, in order. */
export function childrenOf(index: JsonIndex, node: number): number[] {
  const children: number[] = [];
  const end = nodeBehind(index, node);
  for (let child = node + 1; child < end; child = nodeBehind(index, child)) children.push(child);
  return children;
}

/** A member's name as JSON reads it. */
export function keyOf(index: JsonIndex, node: number): string {
  return JSON.parse(decodeUtf8(index.bytes.subarray(keyStartOf(index, node), keyEndOf(index, node)))) as string;
}

function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === 0x5c) return true;
  return false;
}

/** Compares a member's name as JSON reads it with a plain ASCII one; a name without escapes costs no string. */
export function isKey(index: JsonIndex, node: number, name: string): boolean {
  const start = keyStartOf(index, node) + 1;
  const end = keyEndOf(index, node) - 1;
  const { bytes } = index;
  const length = name.length;
  if (end - start === length) {
    for (let i = 0; i < length; i++) {
      const c = bytes[start + i];
      if (c === 0x5c) return keyOf(index, node) === name;
      if (c !== name.charCodeAt(i)) return false;
    }
    return true;
  }
  return end - start > length && hasEscape(bytes, start, end) && keyOf(index, node) === name;
}

/** The member of that name; the last one, as every common parser has it, when it is repeated. */
export function memberOf(index: JsonIndex, node: number, name: string): number {
  let found = NONE;
  if (kindOf(index, node) !== 'object') return found;
  const end = nodeBehind(index, node);
  for (let child = node + 1; child < end; child = nodeBehind(index, child))
    if (isKey(index, child, name)) found = child;
  return found;
}

/** The member at the end of a path of names. */
export function memberAt(index: JsonIndex, node: number, ...path: readonly string[]): number {
  let at = node;
  for (const name of path) {
    if (at === NONE) return NONE;
    at = memberOf(index, at, name);
  }
  return at;
}

/** The parsed value of a node; `undefined` for `NONE`. For small values. */
export function parseNode(index: JsonIndex, node: number): unknown {
  if (node === NONE) return undefined;
  return JSON.parse(decodeUtf8(index.bytes.subarray(valueStart(index, node), valueEnd(index, node))));
}

/** The text of a string node, else null. */
export function stringOf(index: JsonIndex, node: number): string | null {
  return node !== NONE && kindOf(index, node) === 'string' ? (parseNode(index, node) as string) : null;
}

/** Is there a value that is not `null`? */
export const isSet = (index: JsonIndex, node: number): boolean => node !== NONE && kindOf(index, node) !== 'null';
