import { expect, it } from 'vitest';
import { findStretches } from './find-stretches.ts';

it.each<[string, [number, number][]]>([
  ['', []],
  ['....', []],
  [
    '#...#',
    [
      [0, 3],
      [4, 7],
    ],
  ],
  ['#..#.', [[0, 6]]],
  ['.###', [[1, 6]]],
])('joins pieces that meet: %s', (places, stretches) => {
  expect(findStretches((at) => places[at] === '#', places.length, 3)).toEqual(stretches);
});
