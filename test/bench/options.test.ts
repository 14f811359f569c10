import { expect, it } from 'vitest';
import { readBenchOptions, USAGE } from './options.ts';
import { WORKLOADS } from './workloads.ts';

const namesOf = (args: readonly string[]): readonly string[] =>
  readBenchOptions(args).workloads.map(({ name }) => name);

it('is everything in five rounds, if nothing is said', () => {
  expect(readBenchOptions([])).toMatchObject({
    rounds: 5,
    seconds: 3,
    withPrices: false,
    withPortkey: false,
    only: null,
  });
  expect(namesOf([])).toEqual(WORKLOADS.map(({ name }) => name));
});

it('is what is cheap, in two rounds, if it has to be quick', () => {
  expect(readBenchOptions(['--quick'])).toMatchObject({ rounds: 2, seconds: 1 });
  expect(namesOf(['--quick'])).toEqual(WORKLOADS.filter(({ isCheap }) => isCheap).map(({ name }) => name));
  expect(namesOf(['--quick', 'json-1m'])).toEqual(['json-1m']);
});

it('takes workloads by name, in the order of the table, and each of them can be named', () => {
  expect(namesOf(['start', 'json-1k'])).toEqual(['json-1k', 'start']);
  for (const { name } of WORKLOADS) expect(namesOf([name])).toEqual([name]);
  expect(new Set(WORKLOADS.map(({ name }) => name)).size).toBe(WORKLOADS.length);
  for (const { name } of WORKLOADS) expect(USAGE).toContain(name);
});

it.each([
  [['jason'], 'No workload jason; there are json-1k'],
  [['json-1k', 'x', 'y'], 'No workload x, y'],
  [['--rounds=0'], '--rounds 0: no such number'],
  [['--rounds='], 'no such number'],
  [['--seconds=1.5'], '--seconds 1.5: no such number'],
  [['--fast'], '--fast'],
])('refuses %j', (args, message) => {
  expect(() => readBenchOptions(args)).toThrow(message);
});
