import { isSet, memberOf } from './read.ts';
import { type JsonIndex, keyStartOf, NONE, nodeBehind, valueEnd, valueStart } from './scan.ts';

/** In place of the bytes from `start` to `end` stands `text`. */
export type Edit = { readonly start: number; readonly end: number; readonly text: Uint8Array };

const encoder = new TextEncoder();

export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);

export const EMPTY: Uint8Array = new Uint8Array(0);

/**
 * The bytes from `start` to `end` with the edits made: spans of the original and the new texts between them, nothing
 * copied. Edits may come in any order; of two that overlap, the one that begins first (or is the longer) stands.
 */
export function applyEdits(
  bytes: Uint8Array,
  edits: readonly Edit[],
  start = 0,
  end = bytes.length,
): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = start;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || lengthOf(a) - lengthOf(b))) {
    if (edit.start < from) continue;
    if (edit.start > from) pieces.push(bytes.subarray(from, edit.start));
    if (edit.text.length > 0) pieces.push(edit.text);
    from = edit.end;
  }
  if (from < end) pieces.push(bytes.subarray(from, end));
  return pieces;
}

// Insertions stand in front of a replacement at the same place; of replacements the longer one.
const lengthOf = (edit: Edit): number => (edit.end === edit.start ? 0 : 1 / (edit.end - edit.start) + 1);

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const COMMA = encoder.encode(',');

/** Insides of JSON lists as one: what is empty needs no comma. */
export const joinLists = (lists: readonly Uint8Array[]): Uint8Array =>
  concatBytes(
    lists.filter(({ length }) => length > 0).flatMap((list, place) => (place === 0 ? [list] : [COMMA, list])),
  );

/** `json` is a JSON text. */
export const replaceValue = (index: JsonIndex, node: number, json: string): Edit => ({
  start: valueStart(index, node),
  end: valueEnd(index, node),
  text: encodeUtf8(json),
});

/**
 * Adds members behind the last one of an object. `json` is `"key":value`, several joined by commas. One such edit per
 * object: two would not know of each other's comma.
 */
export function appendMembers(index: JsonIndex, object: number, json: string): Edit {
  const at = valueEnd(index, object) - 1;
  const isEmpty = nodeBehind(index, object) === object + 1;
  return { start: at, end: at, text: encodeUtf8(isEmpty ? json : `,${json}`) };
}

/** Members to add to one object, unless they are there: a member that is `null` is given the value. */
export function setMembers(
  index: JsonIndex,
  object: number,
  members: readonly (readonly [name: string, json: string])[],
): Edit[] {
  const edits: Edit[] = [];
  const added: string[] = [];
  for (const [name, json] of members) {
    const node = memberOf(index, object, name);
    if (node === NONE) added.push(`${JSON.stringify(name)}:${json}`);
    else if (!isSet(index, node)) edits.push(replaceValue(index, node, json));
  }
  if (added.length > 0) edits.push(appendMembers(index, object, added.join(',')));
  return edits;
}

/** Where a member begins, or an element, which has no key. */
const startOf = (index: JsonIndex, node: number): number =>
  keyStartOf(index, node) < 0 ? valueStart(index, node) : keyStartOf(index, node);

/** Takes members out of an object, or elements out of a list, each with one of its commas; neighbours in one edit. */
export function removeMembers(index: JsonIndex, object: number, isGone: (member: number) => boolean): Edit[] {
  const edits: Edit[] = [];
  const end = nodeBehind(index, object);
  let before = NONE;
  let isFirst = true;
  for (let node = object + 1; node < end; node = nodeBehind(index, node)) {
    if (!isGone(node)) isFirst = false;
    else {
      const behind = nodeBehind(index, node);
      // With nothing kept in front of it, a member takes the comma behind it along, else the one before.
      const from = isFirst ? startOf(index, node) : valueEnd(index, before);
      const to = isFirst && behind < end ? startOf(index, behind) : valueEnd(index, node);
      const last = edits.at(-1);
      if (last?.end === from) edits[edits.length - 1] = { ...last, end: to };
      else edits.push({ start: from, end: to, text: EMPTY });
    }
    before = node;
  }
  return edits;
}
