// Runs tests in one copy of the tree, again and again, with a fault in it or without: a test runner that stays is several
// times faster than one for each fault. Started by run.ts, with the copy as its argument.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import type { Job, Seen } from './types.ts';

const tree = process.argv[2] ?? process.cwd();
process.chdir(tree);
const vitest = await createVitest('test', {
  root: tree,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  cache: false,
  // Never beside the real packages, which are shared.
  fsModuleCachePath: join(tree, '.cache'),
  reporters: [{}],
});
process.on('message', (job: Job) => void answer(job));
process.on('disconnect', () => process.exit());
process.send?.(null);

async function answer({ fault, tests }: Job): Promise<void> {
  process.send?.(fault === null ? await runTests(tests) : await runBroken(fault, tests));
}

async function runBroken({ file, from, to }: NonNullable<Job['fault']>, tests: readonly string[]): Promise<Seen> {
  const path = join(tree, 'src', file);
  const text = readFileSync(path, 'utf8');
  const places = text.split(from).length - 1;
  if (places !== 1) return { passed: 0, failed: [], trouble: `the text to break stands there ${places} times` };
  const put = (content: string): void => {
    writeFileSync(path, content);
    vitest.invalidateFile(path);
  };
  put(text.replace(from, () => to));
  try {
    return await runTests(tests);
  } finally {
    put(text);
  }
}

async function runTests(tests: readonly string[]): Promise<Seen> {
  // Else what an earlier fault did to other tests would be told again.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    await vitest.globTestSpecifications([...tests]),
  );
  const results = testModules.flatMap((module) =>
    [...module.children.allTests()].map((test) => ({
      state: test.result().state,
      name: `${module.relativeModuleId} > ${test.fullName}`,
    })),
  );
  const errors = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors];
  const [first] = errors.map((error) => String((error as { message?: unknown }).message));
  return {
    passed: results.filter(({ state }) => state === 'passed').length,
    failed: results.filter(({ state }) => state === 'failed').map(({ name }) => name),
    trouble: first ?? null,
  };
}
