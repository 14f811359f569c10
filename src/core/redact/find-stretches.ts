import type { Range } from './reading.ts';

/** Where pieces of one size that are there follow each other. `has`: whether the one at a place is; there are `places`. */
export function findStretches(has: (at: number) => boolean, places: number, size: number): readonly Range[] {
  const out: [from: number, to: number][] = [];
  for (let at = 0; at < places; at++) {
    if (!has(at)) continue;
    const last = out.at(-1);
    if (last !== undefined && at <= last[1]) last[1] = at + size;
    else out.push([at, at + size]);
  }
  return out;
}
