import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

// The long way: property tests with more runs (UNDERSTUDY_RUNS), and what is too slow for every push (`*.slow.test.ts`).
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['test/property/**/*.test.ts', 'src/**/*.slow.test.ts', 'test/**/*.slow.test.ts'],
    exclude: ['**/node_modules/**', 'test/conformance/judge/**'],
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
  },
});
