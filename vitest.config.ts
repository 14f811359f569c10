import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Where the counts of a run go, for `.ci/run`.
const report = process.env['UNDERSTUDY_REPORT'];

/** Measured in bytes of this process, to which nothing may belong that an earlier file has left. */
const MEASURED = ['test/fault/**/*.test.ts', 'src/adapter/http-undici/**/*.test.ts'];

export const EXCLUDED = ['**/node_modules/**', 'test/conformance/judge/**'];

/**
 * What takes long begins first, so that nobody waits for it at the end. Where no earlier run tells how long a file takes,
 * vitest goes by its size; but a small file outside of `src` may play a whole gateway.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isUnit = ({ moduleId }: TestSpecification) => Number(moduleId.includes('/src/'));
    // Stable, and a project at a time as before.
    return (await super.sort(files)).sort((a, b) =>
      a.project === b.project ? isUnit(a) - isUnit(b) : a.project.name < b.project.name ? -1 : 1,
    );
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    // One more than there are cores: most of the time of some is waiting.
    maxWorkers: availableParallelism() + 1,
    allowOnly: false,
    sequence: { sequencer: LongFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    // For the threads and programs that tests start: erasing types is most of the time that they take.
    env: {
      NODE_COMPILE_CACHE:
        process.env['NODE_COMPILE_CACHE'] ?? fileURLToPath(new URL('node_modules/.cache/tests', import.meta.url)),
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['src/**/*.test.ts', 'dashboard/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...EXCLUDED, '**/*.slow.test.ts', ...MEASURED],
          // Files share a process and its modules: half of the time went into loading them again for each. A test that
          // changes what all see (a global, an export of Node) has to put it back.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: MEASURED, exclude: [...EXCLUDED, '**/*.slow.test.ts'] },
      },
    ],
  },
});
