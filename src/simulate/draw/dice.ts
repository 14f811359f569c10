import type { Chance } from '../world/chance.ts';

/** Values, each with how often it comes up against the others. */
export type Weighted<T> = readonly (readonly [weight: number, value: T])[];

/** Throws a RangeError if nothing has a weight. */
export function weigh<T>(chance: Chance, table: Weighted<T>): T {
  let left = chance.next() * table.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of table) {
    left -= weight;
    if (left < 0) return value;
  }
  throw new RangeError('nothing to weigh');
}

/** A whole number from `least` to `most`, both included. */
export const between = (chance: Chance, least: number, most: number): number => least + chance.below(most - least + 1);

/** A whole number from `least` to `most` (above 0), as likely between 1 and 10 as between 10 and 100. */
export const spread = (chance: Chance, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(least * (most / least) ** chance.next())));

/** `count` different ones, in their order. */
export function choose<T>(chance: Chance, list: readonly T[], count: number): readonly T[] {
  const left = list.map((_, place) => place);
  const places = Array.from({ length: Math.min(count, list.length) }, () => {
    const [place] = left.splice(chance.below(left.length), 1);
    return place;
  });
  return list.filter((_, place) => places.includes(place));
}

/** The member with this chance, else no member at all. */
export const perhaps = <T extends object>(chance: Chance, share: number, draw: () => T): Partial<T> =>
  chance.happens(share) ? draw() : {};

export const times = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n));
