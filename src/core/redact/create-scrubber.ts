import { createFragmentFinder } from './find-fragments.ts';
import { asWritten, cutOut, type Range, writtenRange } from './reading.ts';
import { undoEscapes } from './undo-escapes.ts';

/** Shorter values are words, and replacing them would shred texts. */
const MIN_LENGTH = 8;

/** And so may a longer one be that has been read: what it escapes is shorter. */
const MIN_READ = 4;

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** UTF-8, written here since core knows no encoder; halves of characters become U+FFFD. */
function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const char of text) {
    let point = char.codePointAt(0) ?? 0xfffd;
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else {
      bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    }
  }
  return bytes;
}

/**
 * The part of a base64 text that is the same whatever stands before and behind `bytes`, when `shift` bytes of its first
 * group belong to what stands before: so a key is found inside `base64(user:key)` too.
 */
function base64Core(bytes: readonly number[], shift: number): string {
  const padded = [...Array<number>(shift).fill(0), ...bytes];
  let out = '';
  for (let bit = Math.ceil((shift * 8) / 6) * 6; bit + 6 <= padded.length * 8; bit += 6) {
    const word = ((padded[bit >> 3] ?? 0) << 8) | (padded[(bit >> 3) + 1] ?? 0);
    out += BASE64[(word >> (10 - (bit & 7))) & 63];
  }
  return out;
}

/** Between the bytes of hex and the lines of base64 stands anything; base64url differs in what is no letter. */
const NO_DIGITS = /(?<![a-z0-9])0x(?=[0-9a-f]{2}(?![a-z0-9]))|[^a-z0-9]+/gi;

const packed = (text: string): string => text.replace(NO_DIGITS, '');

/** Where what was found in a packed text stands in the text itself: from its first unit to its last, not to the next. */
function unpackRanges(text: string, ranges: readonly Range[]): readonly Range[] {
  if (ranges.length === 0) return ranges;
  const places: number[] = [];
  let done = 0;
  const keep = (to: number): void => {
    for (let at = done; at < to; at++) places.push(at);
  };
  for (const { 0: all, index } of text.matchAll(NO_DIGITS)) {
    keep(index);
    done = index + all.length;
  }
  keep(text.length);
  return ranges.map(([from, to]): Range => [places[from] ?? 0, (places[to - 1] ?? 0) + 1]);
}

/** What a value reads as in a text; a form of HTML writes a blank as `+`. */
const plainForms = (value: string): string[] =>
  [value, value.replaceAll(' ', '+'), JSON.stringify(value).slice(1, -1)].flatMap((form) => [
    form,
    undoEscapes(form).text,
  ]);

/** Bytes as numbers: in hex, in decimal as lists of them have it (`[115, 107, 45]`), with zeros in front, in octal. */
const NUMBERS: readonly ((byte: number) => string)[] = [
  (byte) => byte.toString(16).padStart(2, '0'),
  (byte) => byte.toString(),
  (byte) => byte.toString().padStart(3, '0'),
  (byte) => byte.toString(8),
  (byte) => byte.toString(8).padStart(3, '0'),
];

function packedForms(value: string): string[] {
  const bytes = utf8(value);
  const numbers = NUMBERS.map((write) => bytes.map(write).join(''));
  return [value, ...numbers, ...[0, 1, 2].map((shift) => base64Core(bytes, shift))].map(packed);
}

const isLong = (text: string): boolean => text.length >= MIN_LENGTH;

/**
 * A function that replaces known secrets by `[secret]` anywhere in a string, in either case: as they are, escaped in any
 * way and each character in another, in hex, as a list of the numbers of their bytes, in base64 at any alignment, whatever
 * stands between the characters, and pieces of all these that are twelve characters long. Values shorter than 8 characters
 * are ignored. It takes time by the length.
 */
export function createScrubber(values: readonly string[]): (text: string) => string {
  const known = values.filter(isLong);
  if (known.length === 0) return (text) => text;
  const findPlain = createFragmentFinder(new Set(known.flatMap(plainForms).filter(({ length }) => length >= MIN_READ)));
  const findPacked = createFragmentFinder(new Set(known.flatMap(packedForms).filter(isLong)));
  return (text) => {
    const read = undoEscapes(text);
    const readings = read.from === null ? [read] : [asWritten(text), read];
    const ranges = readings.flatMap((reading) => {
      const found = [...findPlain(reading.text), ...unpackRanges(reading.text, findPacked(packed(reading.text)))];
      return found.map((range) => writtenRange(reading, range));
    });
    return cutOut(text, ranges, '[secret]');
  };
}
