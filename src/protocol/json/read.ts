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
  const [start, end] = [keyStartOf(index, node), keyEndOf(index, node)];
  return (
    shortText(index.bytes, start + 1, end - 1) ?? (JSON.parse(decodeUtf8(index.bytes.subarray(start, end))) as string)
  );
}

/** What an escape at `pos` stands for, as a UTF-16 unit. */
function escapedUnit(bytes: Uint8Array, pos: number): number {
  const c = bytes[pos + 1] as number;
  if (c !== 0x75) return UNITS.get(c) ?? c;
  let unit = 0;
  for (let at = pos + 2; at < pos + 6; at++) {
    const digit = bytes[at] as number;
    unit = unit * 16 + (digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x57);
  }
  return unit;
}

/** The letters of the escapes that do not stand for themselves: \b, \t, \n, \f, \r. */
const UNITS: ReadonlyMap<number, number> = new Map([
  [0x62, 0x08],
  [0x74, 0x09],
  [0x6e, 0x0a],
  [0x66, 0x0c],
  [0x72, 0x0d],
]);

/**
 * Compares a string in the bytes (`start` and `end` within its quotes) with an ASCII one as JSON reads it; makes none.
 */
function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  const { length } = text;
  if (end - start < length) return false;
  let at = start;
  for (let i = 0; i < length; i++) {
    if (at >= end) return false;
    const c = bytes[at] as number;
    const isEscape = c === 0x5c;
    if ((isEscape ? escapedUnit(bytes, at) : c) !== text.charCodeAt(i)) return false;
    at += isEscape ? (bytes[at + 1] === 0x75 ? 6 : 2) : 1;
  }
  return at === end;
}

/** Compares a member's name as JSON reads it with a plain ASCII one; costs no more than the length of `name`. */
export const isKey = (index: JsonIndex, node: number, name: string): boolean =>
  isText(index.bytes, keyStartOf(index, node) + 1, keyEndOf(index, node) - 1, name);

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

/** Is the value this ASCII text? Makes no string. */
export function isString(index: JsonIndex, node: number, text: string): boolean {
  if (node === NONE || kindOf(index, node) !== 'string') return false;
  return isText(index.bytes, valueStart(index, node) + 1, valueEnd(index, node) - 1, text);
}

/** Words of a protocol are shorter than this. */
const SHORT = 32;

/** The text of a string node, else null. */
export function stringOf(index: JsonIndex, node: number): string | null {
  if (node === NONE || kindOf(index, node) !== 'string') return null;
  return (
    shortText(index.bytes, valueStart(index, node) + 1, valueEnd(index, node) - 1) ?? (parseNode(index, node) as string)
  );
}

/** A short ASCII text without escapes needs no parser; null for any other. */
function shortText(bytes: Uint8Array, start: number, end: number): string | null {
  if (end - start > SHORT) return null;
  let text = '';
  for (let at = start; at < end; at++) {
    const c = bytes[at] as number;
    if (c > 0x7e || c === 0x5c) return null;
    text += String.fromCharCode(c);
  }
  return text;
}

/** Is there a value that is not `null`? */
export const isSet = (index: JsonIndex, node: number): boolean => node !== NONE && kindOf(index, node) !== 'null';
