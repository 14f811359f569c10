import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

it.each([
  ['the first repeat, within 250 ms', [1, 0.5, null], 125],
  ['the window doubles', [2, 0.5, null], 250],
  ['and doubles again', [3, 0.5, null], 500],
  ['up to four seconds', [30, 0.5, null], 2000],
  ['a told delay is the floor', [1, 0.5, 3000], 3000],
  ['and nothing more', [1, 0.5, 100], 125],
] as const)('%s', (_name, [repeat, random, told], ms) => {
  expect(backoffMs(repeat, random, told)).toBe(ms);
});
