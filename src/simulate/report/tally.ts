/** How often each key came, the most frequent first; at a tie in the order of the keys. */
export function tally<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly [key: string, items: readonly T[]])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups].sort(([a, left], [b, right]) => right.length - left.length || compareTexts(a, b));
}

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A part of a whole, in the first four digits; null where there is no whole. */
export const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
