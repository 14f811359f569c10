import { describe, expect, it } from 'vitest';
import { drawScenario } from '../../src/simulate/draw/index.ts';
import type { Run } from '../../src/simulate/world/run.ts';
import { type Played, playScenario } from './play.ts';
import { hashOf } from './trace.ts';

/** The first few; `npm run simulate` plays them by thousands. */
const SEEDS = Array.from({ length: 60 }, (_, n) => n + 1);

const runOf = ({ run }: Played): Run => {
  if (run === null) throw new Error('the world threw');
  return run;
};

describe('drawn worlds', () => {
  it('keep what must hold in every world', { timeout: 180_000 }, async () => {
    const broken: unknown[] = [];
    let interesting = 0;
    for (const seed of SEEDS) {
      const { run, breaches } = await playScenario(drawScenario(seed));
      // `npm run simulate -- --from SEED --seeds 1` shrinks it.
      broken.push(...breaches.slice(0, 2).map(({ invariant, request, what }) => ({ seed, invariant, request, what })));
      if (run !== null && hasBoth(run)) interesting += 1;
    }
    expect(broken).toEqual([]);
    expect(interesting).toBeGreaterThan(SEEDS.length * 0.4);
  });

  it('are the same twice, byte for byte', async () => {
    for (const seed of [3, 4, 11, 20]) {
      const once = hashOf(runOf(await playScenario(drawScenario(seed))));
      expect(hashOf(runOf(await playScenario(drawScenario(seed)))), `seed ${seed}`).toBe(once);
    }
    const others = await Promise.all([3, 4].map(async (seed) => hashOf(runOf(await playScenario(drawScenario(seed))))));
    expect(new Set(others).size).toBe(2);
  });
});

/** Somebody was answered, and an attempt failed. */
const hasBoth = ({ requests }: Run): boolean => {
  const ends = requests.flatMap(({ ledger }) => ledger.attempts.map(({ outcome }) => outcome ?? ''));
  return (
    ends.some((end) => end.startsWith('ok')) && ends.some((end) => !end.startsWith('ok') && end !== 'client_closed')
  );
};
