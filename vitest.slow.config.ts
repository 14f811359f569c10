import { defineConfig } from 'vitest/config';
import base, { EXCLUDED } from './vitest.config.ts';

const { projects: _, ...shared } = base.test ?? {};

// The long way: property tests with more runs (UNDERSTUDY_RUNS), and what is too slow for every push (`*.slow.test.ts`).
export default defineConfig({
  ...base,
  test: {
    ...shared,
    include: ['test/property/**/*.test.ts', 'src/**/*.slow.test.ts', 'test/**/*.slow.test.ts'],
    exclude: EXCLUDED,
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
  },
});
