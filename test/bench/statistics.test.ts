import { expect, it } from 'vitest';
import { medianOf, ratioOf, spreadOf } from './statistics.ts';

it.each([
  [[3, 1, 2], 2],
  [[10, 9, 100, 8], 9.5],
  [[7], 7],
  [[], Number.NaN],
])('the middle of %j is %d', (values, median) => {
  expect(medianOf(values)).toBe(median);
});

it('spreads over the rounds that are there', () => {
  expect(spreadOf([4, Number.NaN, 2, 9])).toEqual({ median: 4, least: 2, most: 9, rounds: 3 });
  expect(spreadOf([Number.NaN])).toBeNull();
});

it('compares within rounds, so that a slow one changes nothing', () => {
  expect(ratioOf([50, 5, 500], [100, 10, 1000])).toEqual({ median: 0.5, least: 0.5, most: 0.5, rounds: 3 });
  expect(ratioOf([50, 60], [0, Number.NaN])).toBeNull();
});
