import { expect, it } from 'vitest';
import { readSoakOptions } from './options.ts';

it('is ten thousand requests, if nothing is said', () => {
  expect(readSoakOptions([])).toMatchObject({ requests: 10_000, minutes: null, concurrency: 100, faults: 0.3 });
});

it('is a time without a number of requests, or whatever comes first of both', () => {
  expect(readSoakOptions(['--minutes', '60'])).toMatchObject({ requests: null, minutes: 60 });
  expect(readSoakOptions(['--minutes', '1', '--requests', '5'])).toMatchObject({ requests: 5, minutes: 1 });
});

it.each([
  ['--requests', '0'],
  ['--requests', 'many'],
  ['--minutes', '-1'],
  ['--concurrency', '1.5'],
  ['--faults', '30'],
  ['--seed', ''],
])('refuses %s %s', (name, value) => {
  expect(() => readSoakOptions([`${name}=${value}`])).toThrow('no such number');
});
