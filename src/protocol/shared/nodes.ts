import { childrenOf, type JsonIndex, kindOf, memberOf, NONE, stringOf, valueEnd, valueStart } from '../json/index.ts';

/** Elements of a list; none for anything else. */
export const elementsOf = (index: JsonIndex, node: number): readonly number[] =>
  node !== NONE && kindOf(index, node) === 'array' ? childrenOf(index, node) : [];

/** The member `type` of an object, where that is a text. */
export const typeOf = (index: JsonIndex, node: number): string | null =>
  kindOf(index, node) === 'object' ? stringOf(index, memberOf(index, node, 'type')) : null;

export const bytesOf = (index: JsonIndex, node: number): Uint8Array =>
  node === NONE ? new Uint8Array(0) : index.bytes.subarray(valueStart(index, node), valueEnd(index, node));

export const lengthOf = (index: JsonIndex, node: number): number =>
  node === NONE ? 0 : valueEnd(index, node) - valueStart(index, node);

const SPACE = 0x20;

/** JSON as a data line needs it: line ends lie only between the tokens of a text, where a blank does as well. */
export function oneLine(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x0a) && !bytes.includes(0x0d)) return bytes;
  return bytes.map((c) => (c === 0x0a || c === 0x0d ? SPACE : c));
}
