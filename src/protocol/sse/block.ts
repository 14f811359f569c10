export type Span = { readonly start: number; readonly end: number };

/** The fields of one frame, as spans of its bytes. */
export type Block = {
  /** The `event` field, the last one when it is repeated; empty: none. */
  readonly event: string;
  /** Values of the `data` fields, in order. */
  readonly data: readonly Span[];
  /** Values of `error` fields: no part of the format, but a provider's way to tell of a failure. */
  readonly errors: readonly Span[];
  /** Whole lines that are no data, without their line ends: comments, other fields. */
  readonly others: readonly Span[];
};

const BOM = [0xef, 0xbb, 0xbf];
export const BOM_LENGTH: number = BOM.length;

/** Where the first line begins: behind a byte order mark, or the LF of the frame before. */
export function blockStart(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === 0x0a && end - start > 1) return start + 1;
  return end - start >= 3 && BOM.every((c, i) => bytes[start + i] === c) ? start + 3 : start;
}

export const hasBom = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start >= 3 && BOM.every((c, i) => bytes[start + i] === c);

/** Is `name` (ASCII) what stands at `pos`? */
export function isAt(bytes: Uint8Array, pos: number, end: number, name: string): boolean {
  if (pos + name.length > end) return false;
  for (let i = 0; i < name.length; i++) if (bytes[pos + i] !== name.charCodeAt(i)) return false;
  return true;
}

/** Reads the fields of a frame: from `start` (see `blockStart`) to `end`. */
export function readBlock(bytes: Uint8Array, start: number, end: number): Block {
  const data: Span[] = [];
  const errors: Span[] = [];
  const others: Span[] = [];
  let event = '';
  for (let pos = start; pos < end; ) {
    let eol = pos;
    while (eol < end && bytes[eol] !== 0x0a && bytes[eol] !== 0x0d) eol++;
    if (eol > pos) {
      const value = fieldValue(bytes, pos, eol);
      if (isField(bytes, pos, eol, 'data')) data.push(value);
      else {
        others.push({ start: pos, end: eol });
        if (isField(bytes, pos, eol, 'error')) errors.push(value);
        if (isField(bytes, pos, eol, 'event')) event = latin(bytes, value);
      }
    }
    pos = bytes[eol] === 0x0d && eol + 1 < end && bytes[eol + 1] === 0x0a ? eol + 2 : eol + 1;
  }
  return { event, data, errors, others };
}

/** A line that is the field's bare name is the field with an empty value. */
const isField = (bytes: Uint8Array, pos: number, end: number, name: string): boolean =>
  isAt(bytes, pos, end, name) && (pos + name.length === end || bytes[pos + name.length] === 0x3a);

function fieldValue(bytes: Uint8Array, pos: number, end: number): Span {
  let start = pos;
  while (start < end && bytes[start] !== 0x3a) start++;
  if (start < end) start++;
  if (start < end && bytes[start] === 0x20) start++;
  return { start, end };
}

const latin = (bytes: Uint8Array, { start, end }: Span): string =>
  String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 64)));

/** White space that JSON allows around a value, and nothing else, is taken off both ends. */
export function trimSpan(bytes: Uint8Array, { start, end }: Span): Span {
  const isSpace = (c: number | undefined): boolean => c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0d;
  let from = start;
  let to = end;
  while (from < to && isSpace(bytes[from])) from++;
  while (to > from && isSpace(bytes[to - 1])) to--;
  return { start: from, end: to };
}
