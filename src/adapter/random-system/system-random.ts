import type { Random } from '../../port/random.ts';

/** Chance for jitter and weights. Nothing secret may hang on it: ids and keys are made with `node:crypto`. */
export function createSystemRandom(): Random {
  return { next: Math.random };
}
