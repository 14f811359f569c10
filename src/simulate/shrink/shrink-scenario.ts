import type { Scenario } from '../scenario/scenario.ts';
import { CUTS, type Cut } from './cuts.ts';

export type ShrinkOptions = {
  /** Most times that `fails` is asked. */
  readonly maxRuns: number;
};

export type Shrunk = {
  readonly scenario: Scenario;
  /** Times that `fails` was asked. */
  readonly runs: number;
  /** There was nothing left to try. */
  readonly isMinimal: boolean;
};

/**
 * Takes away from a scenario whatever its failure does not need, by delta debugging over the data: rows, routes and
 * settings go, loads become single requests, behaviours plain ones, numbers small or round. The same scenario and the same
 * `fails` give the same result. `fails` may be asked of scenarios that can't be played, and says false to these; of the
 * given one it is taken to be true.
 */
export async function shrinkScenario(
  scenario: Scenario,
  fails: (scenario: Scenario) => boolean | Promise<boolean>,
  { maxRuns }: ShrinkOptions = { maxRuns: 1000 },
): Promise<Shrunk> {
  const tried = new Set([JSON.stringify(scenario)]);
  let best = scenario;
  let runs = 0;

  const isWorth = async (candidate: Scenario): Promise<boolean> => {
    const text = JSON.stringify(candidate);
    if (tried.has(text) || runs >= maxRuns) return false;
    tried.add(text);
    runs += 1;
    return fails(candidate);
  };
  /** Takes what it can of one kind, in one go: what was needed before is likely to be needed still. True: there was some. */
  const take = async (cut: Cut): Promise<boolean> => {
    let isTaken = false;
    for (let place = 0, found: Scenario | null = best; found !== null; ) {
      found = null;
      for (const [n, candidate] of enumerate(cut(best))) {
        if (n < place || !(await isWorth(candidate))) continue;
        [best, found, place, isTaken] = [candidate, candidate, n, true];
        break;
      }
    }
    return isTaken;
  };

  // A fine cut may loosen what a bold one can take away: all of them, until none finds anything.
  for (let isTaken = true; isTaken; ) {
    isTaken = false;
    for (const cut of CUTS) isTaken = (await take(cut)) || isTaken;
  }
  return { scenario: best, runs, isMinimal: runs < maxRuns };
}

function* enumerate<T>(list: Iterable<T>): Iterable<readonly [number, T]> {
  let n = 0;
  for (const each of list) yield [n++, each];
}
