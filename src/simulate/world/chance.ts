import type { Random } from '../../port/random.ts';

/** A seeded source of chance that can be split by name, so that a draw here moves none there. */
export interface Chance extends Random {
  /** A whole number in [0, n). */
  below(n: number): number;
  happens(share: number): boolean;
  /** Throws a RangeError for an empty list. */
  pick<T>(list: readonly T[]): T;
  /** A source of its own: the same name gives the same one, however much was drawn here. */
  split(name: string): Chance;
}

/** Mulberry32: small, fast, and the same on every machine. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const chance: Chance = {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    below: (n) => Math.floor(chance.next() * n),
    happens: (share) => chance.next() < share,
    pick(list) {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      const picked = list[chance.below(list.length)];
      return picked as (typeof list)[number];
    },
    split: (name) => createChance(hash(`${seed} ${name}`)),
  };
  return chance;
}

/** FNV-1a, then mixed, since names that differ in one letter must not give seeds that lie close. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}
