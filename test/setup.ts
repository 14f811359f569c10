import { takeRuns } from './kit/seed.ts';

/** `UNDERSTUDY_RUNS=10`: ten times as many runs, also of each property that names no number of its own. */
if (process.env['UNDERSTUDY_RUNS'] !== undefined) {
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ numRuns: takeRuns(100) });
}
