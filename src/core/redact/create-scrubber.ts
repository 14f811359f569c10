import { createFragmentHider } from './hide-fragments.ts';
import { undoEscapes } from './undo-escapes.ts';

/** Shorter values are words, and replacing them would shred texts. */
const MIN_LENGTH = 8;

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

function percentEncoded(value: string): string[] {
  try {
    const upper = encodeURIComponent(value);
    const lower = upper.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
    const form = upper.replaceAll('%20', '+');
    return [upper, lower, form];
  } catch {
    return [];
  }
}

/** Every form in which a value may turn up in a text. */
function formsOf(value: string): string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(escaped).slice(1, -1);
  const bytes = utf8(value);
  const base64 = [0, 1, 2].map((shift) => base64Core(bytes, shift));
  const base64url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [
    value,
    escaped,
    twice,
    escaped.replaceAll('/', '\\/'),
    ...percentEncoded(value),
    hex,
    ...base64,
    ...base64url,
  ];
}

/**
 * A function that replaces known secrets by `[secret]` anywhere in a string, in either case: as they are, escaped in any
 * way, in hex, in base64 at any alignment, and pieces of them that are twelve characters long. Values shorter than 8
 * characters are ignored.
 */
export function createScrubber(values: readonly string[]): (text: string) => string {
  const forms = new Set(values.filter((value) => value.length >= MIN_LENGTH).flatMap(formsOf));
  const parts = [...forms].filter((form) => form.length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
  if (parts.length === 0) return (text) => text;
  const pattern = new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'gi');
  const hideFragments = createFragmentHider(parts);
  const hide = (text: string): string => hideFragments(text.replace(pattern, '[secret]'));
  return (text) => {
    // Pieces that stand plain in an escaped secret are found as well: the whole is looked for first.
    const read = undoEscapes(text);
    if (read === text) return hide(text);
    const hidden = hide(read);
    return hidden === read ? hide(text) : hidden;
  };
}
