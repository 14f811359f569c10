import { expect, it } from 'vitest';
import { createHoldings } from './holdings.ts';

it('is the sum of what all hold by now', () => {
  const holdings = createHoldings();
  const [one, two] = [holdings.open(), holdings.open()];
  one.set(10);
  two.set(5);
  one.set(7);
  expect(holdings.total).toBe(12);
  two.set(0);
  expect(holdings.total).toBe(7);
});

it('forgets who is gone, and what is said of it later', () => {
  const holdings = createHoldings();
  const one = holdings.open();
  one.set(10);
  one.close();
  expect(holdings.total).toBe(0);
  one.set(3);
  one.close();
  expect(holdings.total).toBe(0);
});
