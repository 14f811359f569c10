import { expect, it } from 'vitest';
import { makeStateDir } from '../kit/state-dir.ts';
import { buildNative } from './build-native.ts';
import { checkFiles, checkTools, parseCores } from './machine.ts';
import { filesOf, requestOf, WORKLOADS } from './workloads.ts';

it.each(WORKLOADS.map((workload) => [workload.name, workload] as const))(
  'a request of %s is JSON of exactly its size',
  (name, workload) => {
    const text = requestOf(workload);
    expect(Buffer.byteLength(text)).toBe(workload.request);
    const messages = workload.speaks === undefined ? [{}, {}] : [{}];
    expect(JSON.parse(text)).toMatchObject({ model: name, messages });
  },
);

it('asks for a stream where one is measured', () => {
  const isStream = WORKLOADS.map((workload) => JSON.parse(requestOf(workload)).stream === true);
  expect(isStream).toEqual(WORKLOADS.map((workload) => workload.plan.startsWith('sse-')));
});

it('needs two open files for each open stream', () => {
  const held = WORKLOADS.find(({ name }) => name === 'paced-8000');
  expect(held === undefined ? 0 : filesOf(held)).toBeGreaterThan(16_000);
});

it('says what is missing', () => {
  expect(() => buildNative(makeStateDir(), 'no-such-cc')).toThrow('apt-get install gcc');
  expect(() => checkTools(['no-such-tool'])).toThrow('There is no no-such-tool');
  expect(() => checkFiles(Number.MAX_VALUE)).toThrow('ulimit -n');
  expect(() => checkFiles(1)).not.toThrow();
});

it.each([
  ['0-1\n', [0, 1]],
  ['2,5-7', [2, 5, 6, 7]],
  ['3', [3]],
  ['', []],
])('reads the cores of %j', (list, cores) => {
  expect(parseCores(list)).toEqual(cores);
});
