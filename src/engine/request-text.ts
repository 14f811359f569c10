import type { RequestText } from '../core/failure/doubt-echo.ts';
import { decodeUtf8 } from '../protocol/json/index.ts';

/** What lies between is images; what people and tools wrote last stands at the end. */
const MAX_READ = 1024 * 1024;

const BACKSLASH = 0x5c;
const BLANK = 0x20;
const LETTER_U = 0x75;
/** \b \f \n \r \t */
const BLANK_LETTERS: ReadonlySet<number> = new Set([0x62, 0x66, 0x6e, 0x72, 0x74]);
/** Blanks beyond ASCII: few, so that a text is searched for them fast. */
const WIDE_BLANKS =
  / ?[\u0080-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff][ \u0080-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*/g;

/** A request's body as a person reads it: without escapes, in one line. Of a huge one its first and its last megabyte. */
export function readRequestText(body: Uint8Array): RequestText {
  const isHuge = body.length > 2 * MAX_READ;
  const parts = isHuge ? [body.subarray(0, MAX_READ), body.subarray(-MAX_READ)] : [body];
  return { text: parts.map(readPart).join(' '), isWhole: !isHuge };
}

/** Byte by byte, once: bodies are megabytes, and nobody else is served meanwhile. What was escaped is never longer plain. */
function readPart(part: Uint8Array): string {
  const out = new Uint8Array(part.length);
  let length = 0;
  for (let at = 0; at < part.length; at++) {
    const byte = part[at] ?? 0;
    if (byte === BACKSLASH && part[at + 1] === LETTER_U) {
      const point = hexAt(part, at + 2);
      if (point !== null) at += 5;
      length = point === null ? length : putPoint(out, length, point);
      continue;
    }
    const isEscape = byte === BACKSLASH && at + 1 < part.length;
    const plain = isEscape ? (part[++at] ?? 0) : byte;
    length = putByte(out, length, isEscape && BLANK_LETTERS.has(plain) ? BLANK : plain);
  }
  return decodeUtf8(out.subarray(0, length)).replace(WIDE_BLANKS, ' ');
}

/** Blanks and control characters are one blank, however many there are. */
function putByte(out: Uint8Array, length: number, byte: number): number {
  const isBlank = byte <= BLANK || byte === 0x7f;
  if (isBlank && length > 0 && out[length - 1] === BLANK) return length;
  out[length] = isBlank ? BLANK : byte;
  return length + 1;
}

/** As UTF-8; halves of surrogate pairs come out as what is no character. */
function putPoint(out: Uint8Array, length: number, point: number): number {
  if (point < 0x80) return putByte(out, length, point);
  if (point < 0x800) {
    out[length] = 0xc0 | (point >> 6);
    out[length + 1] = 0x80 | (point & 63);
    return length + 2;
  }
  out[length] = 0xe0 | (point >> 12);
  out[length + 1] = 0x80 | ((point >> 6) & 63);
  out[length + 2] = 0x80 | (point & 63);
  return length + 3;
}

/** Four hex digits as a number; null: they are none. */
function hexAt(part: Uint8Array, from: number): number | null {
  let point = 0;
  for (let at = from; at < from + 4; at++) {
    const byte = part[at] ?? 0;
    const lower = byte | 0x20;
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
    if (digit < 0) return null;
    point = point * 16 + digit;
  }
  return point;
}
