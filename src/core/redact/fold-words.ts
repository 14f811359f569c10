import type { Reading } from './reading.ts';

const BLANK = 0x20;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_X = 0x78;
/** \b \f \n \r \t \v, as bits */
const BLANK_LETTERS = Array.from('bfnrtv').reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 0x61)), 0);
const isBlankLetter = (unit: number): boolean =>
  unit >= 0x61 && unit <= 0x7a && ((BLANK_LETTERS >> (unit - 0x61)) & 1) === 1;

/** What nobody sees becomes nothing. */
const NOTHING = 0;
/** The first half of tags and of variation selectors, which nobody sees; the second half goes with it. */
const HIGH_OF_TAGS = 0xdb40;

let table: Uint16Array | null = null;

/** What each UTF-16 unit becomes. Made when it is first needed, since most processes never need it. */
function foldedUnits(): Uint16Array {
  if (table !== null) return table;
  table = new Uint16Array(0x10000).fill(BLANK);
  for (let unit = 0; unit < table.length; unit++) {
    const char = String.fromCharCode(unit);
    if (unit === HIGH_OF_TAGS || /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(char)) table[unit] = NOTHING;
    else if (/[\p{L}\p{M}\p{N}\p{Co}\p{Cs}]/u.test(char)) table[unit] = char.toLowerCase().charCodeAt(0);
  }
  return table;
}

/** `length` hex digits from `at` as a number; -1: they are none. */
function hexAt(text: string, at: number, length: number): number {
  if (at + length > text.length) return -1;
  let point = 0;
  for (let n = at; n < at + length; n++) {
    const unit = text.charCodeAt(n);
    const lower = unit | 0x20;
    const digit = unit >= 0x30 && unit <= 0x39 ? unit - 0x30 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
    if (digit < 0) return -1;
    point = point * 16 + digit;
  }
  return point;
}

/** Hex digits that belong to an escape by this letter; 0: it is none by number. */
const digitsBehind = (letter: number): number => (letter === LETTER_U ? 4 : letter === LETTER_X ? 2 : 0);

/** Unit by unit, once: requests are megabytes, and nobody else is served meanwhile. What is folded is never longer. */
function foldInto(text: string, out: Uint16Array, from: Uint32Array | null): number {
  const folded = foldedUnits();
  const end = text.length;
  let length = 0;
  let last = 0;
  let start = 0;
  for (let at = 0; at < end; at++) {
    let unit = text.charCodeAt(at);
    if (unit === BACKSLASH) {
      while (at + 1 < end && text.charCodeAt(at + 1) === BACKSLASH) at++;
      const letter = at + 1 < end ? text.charCodeAt(at + 1) : 0;
      const digits = digitsBehind(letter);
      const point = digits === 0 ? -1 : hexAt(text, at + 2, digits);
      if (point >= 0) {
        unit = point;
        at += digits + 1;
      } else if (isBlankLetter(letter)) at++;
    }
    const next = folded[unit] as number;
    if (next === NOTHING) {
      if (unit === HIGH_OF_TAGS) at++;
      continue;
    }
    if (next !== BLANK || last !== BLANK) {
      if (from !== null) from[length] = start;
      out[length++] = next;
      last = next;
    }
    start = at + 1;
  }
  if (from !== null) from[length] = start;
  return length;
}

const CHUNK = 1024;

function textOf(units: Uint16Array): string {
  let out = '';
  for (let at = 0; at < units.length; at += CHUNK) {
    out += String.fromCharCode.apply(null, units.subarray(at, at + CHUNK) as unknown as number[]);
  }
  return out;
}

/**
 * Only the words of a text: letters and digits in lower case, one blank for whatever is between them, nothing of what is
 * invisible. Escapes of JSON are undone. So a text reads the same in whatever quotes, case and white space it is repeated.
 */
export function foldWords(text: string): string {
  const out = new Uint16Array(text.length);
  return textOf(out.subarray(0, foldInto(text, out, null)));
}

/** The same, and where each unit of it stands. */
export function readWords(text: string): Reading {
  const out = new Uint16Array(text.length);
  const from = new Uint32Array(text.length + 1);
  const length = foldInto(text, out, from);
  return { text: textOf(out.subarray(0, length)), from: from.subarray(0, length + 1) };
}
