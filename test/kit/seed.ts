/** The seed of a random run: `UNDERSTUDY_SEED`, or a new one. It is printed, so that a failure can be repeated. */
export function takeSeed(name: string): number {
  const given = process.env['UNDERSTUDY_SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  console.info(`${name}: seed ${seed} (UNDERSTUDY_SEED=${seed} repeats this run)`);
  return seed;
}

/** How often a random run repeats: `base` times `UNDERSTUDY_RUNS` (default 1; nightly runs use more). */
export const takeRuns = (base: number): number => Math.round(base * Number(process.env['UNDERSTUDY_RUNS'] ?? '1'));
