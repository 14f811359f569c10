import type { Reading } from './reading.ts';

/** So many bytes in a row: a key; fewer are numbers that errors tell. */
const MIN_MORE = 15;
const BETWEEN = '[\\s,;:|-]{1,4}';
const HEX = '(?:0x|\\\\x)?[\\da-f]{2}';

/** Lists of bytes as programs print them: `[115, 107, 45, …]`, `0x73, 0x6b`, `73:6b:2d`; `base`: of their digits. */
const LISTS: readonly { readonly pattern: RegExp; readonly item: RegExp; readonly base: number }[] = [
  {
    pattern: new RegExp(`(?<![\\w.])\\d{1,3}(?:${BETWEEN}\\d{1,3}){${MIN_MORE},}(?![\\w.])`, 'g'),
    item: /\d+/g,
    base: 10,
  },
  {
    pattern: new RegExp(`(?<![\\w.])${HEX}(?:${BETWEEN}${HEX}){${MIN_MORE},}(?![\\w.])`, 'gi'),
    item: /(?<=^|[\s,;:|-]|x)[\da-f]{2}/gi,
    base: 16,
  },
];

function readKind(text: string, { pattern, item, base }: (typeof LISTS)[number]): Reading | null {
  let out = '';
  let done = 0;
  const from: number[] = [];
  const copy = (to: number): void => {
    for (let at = done; at < to; at++) from.push(at);
    out += text.slice(done, to);
    done = to;
  };
  for (const { 0: list, index } of text.matchAll(pattern)) {
    copy(index);
    for (const { 0: digits, index: at } of list.matchAll(item)) {
      from.push(index + at);
      out += String.fromCharCode(Number.parseInt(digits, base));
    }
    done = index + list.length;
  }
  if (done === 0) return null;
  copy(text.length);
  from.push(text.length);
  return { text: out, from };
}

/**
 * What a text reads as where lists of sixteen bytes or more are the characters of these bytes: a reading for each kind
 * of list that it may hold, since `32, 41` may be one of either. Keys that are known by their shape only are found so in
 * what a program printed of its memory. Total; takes time by the length.
 */
export const readByteLists = (text: string): readonly Reading[] =>
  LISTS.map((kind) => readKind(text, kind)).filter((reading) => reading !== null);
