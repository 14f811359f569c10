import { defineConfig } from 'vitest/config';

// Where the counts of a run go, for `.ci/run`.
const report = process.env['UNDERSTUDY_REPORT'];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/conformance/judge/**', '**/*.slow.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    // One for each core: vitest would leave one of two idle.
    maxWorkers: '100%',
    allowOnly: false,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
