import { expect, it } from 'vitest';
import { mintId } from './mend-list.ts';

it('mints the same id from the same bytes, and one that nobody has', () => {
  const free = (): boolean => false;
  const first = mintId('call_', 'seed', 0, free);
  expect(mintId('call_', 'seed', 0, free)).toBe(first);
  expect(new Set([first, mintId('call_', 'seed', 1, free), mintId('call_', 'other', 0, free)]).size).toBe(3);
  const second = mintId('call_', 'seed', 0, (id) => id === first);
  const third = mintId('call_', 'seed', 0, (id) => id === first || id === second);
  expect(new Set([first, second, third]).size).toBe(3);
});
