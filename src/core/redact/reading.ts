/** Where something stands in a text: from its first UTF-16 unit to the one behind its last. */
export type Range = readonly [from: number, to: number];

/**
 * A text as it may be read, and where each of its units begins in the text that was written; one more entry, the end of
 * it, closes the list. null: it was read as it stands. What is found in a reading is cut out of what was written.
 */
export type Reading = { readonly text: string; readonly from: ArrayLike<number> | null };

export const asWritten = (text: string): Reading => ({ text, from: null });

const placeOf = ({ from }: Reading, at: number): number => (from === null ? at : (from[at] ?? 0));

/** A range of a reading in the text that was written. */
export const writtenRange = (reading: Reading, [from, to]: Range): Range => [
  placeOf(reading, from),
  placeOf(reading, to),
];

/** A reading of a reading. */
export function readOn(first: Reading, second: Reading): Reading {
  if (second.from === null) return first;
  if (first.from === null) return second;
  return { text: second.text, from: Array.from(second.from, (at) => placeOf(first, at)) };
}

const LOW = /[\udc00-\udfff]/;
const HIGH = /[\ud800-\udbff]/;
const isInside = (text: string, at: number): boolean => LOW.test(text.charAt(at)) && HIGH.test(text.charAt(at - 1));

/** A text with a mark in the place of each range; ranges that meet leave one. Characters go whole. */
export function cutOut(text: string, ranges: readonly Range[], mark: string): string {
  if (ranges.length === 0) return text;
  let out = '';
  let done = 0;
  let isMarked = false;
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    const from = isInside(text, start) ? start - 1 : start;
    const to = isInside(text, end) ? end + 1 : end;
    if (to <= done) continue;
    if (from > done || !isMarked) out += text.slice(done, from) + mark;
    isMarked = true;
    done = to;
  }
  return out + text.slice(done);
}
