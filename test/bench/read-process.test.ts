import { expect, it } from 'vitest';
import { parseCpu, parseMemory, parseOpenFiles, readUsage } from './read-process.ts';

const STAT = '(x) S 1 20 20 0 -1 4194560 1 2 3 4 150 50 9 9 20 0 11 0 100 1000 200 18446744073709551615';
const STATUS = 'Name:\tnode\nVmHWM:\t  90000 kB\nVmRSS:\t   8012 kB\nThreads:\t11\n';

it.each([
  ['a plain name', STAT.replace('(x)', '20 (node)')],
  ['blanks and brackets in the name', STAT.replace('(x)', '20 (a) b (c)')],
])('reads CPU seconds behind %s', (_what, stat) => {
  expect(parseCpu(stat)).toBe(2);
});

it('reads memory', () => {
  expect(parseMemory(STATUS, 'VmRSS')).toBe(8012 * 1024);
  expect(parseMemory(STATUS, 'VmSwap')).toBeNaN();
});

it('reads the hard limit of open files', () => {
  expect(parseOpenFiles('Max open files            1024                 20000                files')).toBe(20_000);
  expect(parseOpenFiles('Max open files            1024                 unlimited            files')).toBe(Infinity);
});

it('reads a process that runs', () => {
  const { cpu, rss } = readUsage(process.pid);
  expect(cpu).toBeGreaterThan(0);
  expect(rss / process.memoryUsage.rss()).toBeCloseTo(1, 0);
});
