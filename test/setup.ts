/** `UNDERSTUDY_RUNS=5000`: so many runs of each property that names no number of its own. */
const runs = Number(process.env['UNDERSTUDY_RUNS'] ?? 0);

if (runs > 0) {
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ numRuns: runs });
}
