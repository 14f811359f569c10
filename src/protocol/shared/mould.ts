import { stringEnd } from '../json/chars.ts';
import type { Span } from '../sse/index.ts';

/**
 * A piece of bytes that was looked at and decides nothing, and where its text stands (quotes included). Most pieces of
 * a stream differ from the one before in that text alone: such a one decides nothing either.
 */
export type Mould = { readonly bytes: Uint8Array; readonly start: number; readonly end: number; readonly text: Span };

/** Is this piece the mould with another text, that is, another whole JSON string? */
export function fits(mould: Mould, bytes: Uint8Array, start: number, end: number): boolean {
  const known = mould.bytes;
  const ahead = mould.text.start - mould.start;
  const behind = mould.end - mould.text.end;
  if (end - start < ahead + behind + 2 || bytes[start + ahead] !== 0x22) return false;
  // From the end: what varies beside the text (padding, say) tends to stand there.
  for (let i = 1; i <= behind; i++) if (bytes[end - i] !== known[mould.end - i]) return false;
  for (let i = ahead - 1; i >= 0; i--) if (bytes[start + i] !== known[mould.start + i]) return false;
  return stringEnd(bytes, start + ahead, end) === end - behind;
}
