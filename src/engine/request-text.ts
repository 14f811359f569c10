import type { RequestText } from '../core/failure/doubt-echo.ts';
import { decodeUtf8 } from '../protocol/json/index.ts';

/** What lies between is images; what people and tools wrote last stands at the end. */
const MAX_READ = 1024 * 1024;

const BLANKS = 'nrtbf';

/** Each character of a body is looked at once: bodies are large, and nobody else is served meanwhile. */
const readEscape = (_: string, hex: string | undefined, char: string): string =>
  hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : BLANKS.includes(char) ? ' ' : char;

/** A request's body as a person reads it: without escapes, in one line. Of a huge one its first and its last megabyte. */
export function readRequestText(body: Uint8Array): RequestText {
  const isHuge = body.length > 2 * MAX_READ;
  const parts = isHuge ? [body.subarray(0, MAX_READ), body.subarray(-MAX_READ)] : [body];
  return { text: parts.map(readPart).join(' '), isWhole: !isHuge };
}

const readPart = (part: Uint8Array): string =>
  decodeUtf8(part)
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, readEscape)
    .replace(/[\s\p{Cc}]+/gu, ' ');
