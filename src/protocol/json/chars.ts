/**
 * Lexical parts of JSON over bytes. Each function takes the place where its token begins and gives the place behind it,
 * or -1 when the token is broken. They never look at or beyond `end`.
 *
 * Bytes are written as numbers: a named constant of a module is read from memory on each comparison, which makes these
 * loops three times slower. 0x22 is ", 0x5c \, 0x7b { and 0x7d }, 0x5b [ and 0x5d ], 0x2c the comma, 0x3a the colon.
 */

/** The first place from `pos` on that is no white space. */
export function skipSpace(bytes: Uint8Array, pos: number, end: number): number {
  let at = pos;
  while (at < end) {
    const c = bytes[at] as number;
    if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) break;
    at++;
  }
  return at;
}

/** `pos` is the opening quote. Control characters are refused; bytes above 0x7f pass as they are. */
export function stringEnd(bytes: Uint8Array, pos: number, end: number): number {
  let at = pos + 1;
  while (at < end) {
    const c = bytes[at] as number;
    if (c === 0x22) return at + 1;
    if (c === 0x5c) {
      at = escapeEnd(bytes, at, end);
      if (at < 0) return -1;
    } else if (c < 0x20) return -1;
    else at++;
  }
  return -1;
}

function escapeEnd(bytes: Uint8Array, pos: number, end: number): number {
  if (pos + 1 >= end) return -1;
  switch (bytes[pos + 1]) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return pos + 2;
    case 0x75:
      return pos + 6 <= end && isHex4(bytes, pos + 2) ? pos + 6 : -1;
    default:
      return -1;
  }
}

function isHex4(bytes: Uint8Array, pos: number): boolean {
  for (let at = pos; at < pos + 4; at++) {
    const c = (bytes[at] as number) | 0x20;
    if (!((c >= 0x30 && c <= 0x39 && (bytes[at] as number) >= 0x30) || (c >= 0x61 && c <= 0x66))) return false;
  }
  return true;
}

function digitsEnd(bytes: Uint8Array, pos: number, end: number): number {
  let at = pos;
  while (at < end && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at++;
  return at === pos ? -1 : at;
}

function numberEnd(bytes: Uint8Array, pos: number, end: number): number {
  let at = bytes[pos] === 0x2d ? pos + 1 : pos;
  // No number but 0 itself begins with 0.
  at = at < end && bytes[at] === 0x30 ? at + 1 : digitsEnd(bytes, at, end);
  if (at >= 0 && at < end && bytes[at] === 0x2e) at = digitsEnd(bytes, at + 1, end);
  if (at >= 0 && at < end && ((bytes[at] as number) | 0x20) === 0x65) {
    const isSigned = at + 1 < end && (bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d);
    at = digitsEnd(bytes, isSigned ? at + 2 : at + 1, end);
  }
  return at;
}

const WORDS: ReadonlyMap<number, readonly number[]> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), [...word].map((c) => c.charCodeAt(0))]),
);

function wordEnd(bytes: Uint8Array, pos: number, end: number): number {
  const word = WORDS.get(bytes[pos] as number) ?? [];
  if (pos + word.length > end) return -1;
  for (let i = 0; i < word.length; i++) if (bytes[pos + i] !== word[i]) return -1;
  return pos + word.length;
}

/** A string, number, `true`, `false` or `null`. */
export function scalarEnd(bytes: Uint8Array, pos: number, end: number): number {
  if (pos >= end) return -1;
  const c = bytes[pos] as number;
  if (c === 0x22) return stringEnd(bytes, pos, end);
  return c >= 0x61
    ? c === 0x74 || c === 0x66 || c === 0x6e
      ? wordEnd(bytes, pos, end)
      : -1
    : numberEnd(bytes, pos, end);
}
