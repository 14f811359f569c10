import type { Random } from '../../src/port/random.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';

/** Chance that follows from the seed and a name alone, whatever else is drawn in which order. */
export function randomOf(seed: number, ...names: readonly (string | number)[]): Random {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const char of names.join(' ')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return createSeededRandom(hash);
}

/** An integer from `least` to `most`, both taken in. */
export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random.next() * (most - least + 1));

export const isDrawn = (random: Random, share: number): boolean => random.next() < share;

/** One of a list, by the weights of its entries. */
export function pickWeighted<T extends { readonly weight: number }>(random: Random, list: readonly T[]): T {
  let left = random.next() * list.reduce((sum, { weight }) => sum + weight, 0);
  const found = list.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return found ?? (list.at(-1) as T);
}
