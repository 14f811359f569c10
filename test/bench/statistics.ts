/** The middle one of some values; NaN of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[half - 1], sorted[half]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** What several rounds say of one thing. */
export type Spread = {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly rounds: number;
};

/** Values that are not there (NaN) are left out; null: none are there. */
export function spreadOf(values: readonly number[]): Spread | null {
  const there = values.filter((value) => !Number.isNaN(value));
  if (there.length === 0) return null;
  return { median: medianOf(there), least: Math.min(...there), most: Math.max(...there), rounds: there.length };
}

/** Ratios within each round, then their spread: what slows a whole round down, slows both. */
export function ratioOf(values: readonly number[], base: readonly number[]): Spread | null {
  return spreadOf(values.map((value, round) => value / (base[round] || Number.NaN)));
}
