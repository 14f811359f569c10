import type { Finding } from '../config/problem.ts';
import type { Scenario } from '../simulate/scenario/scenario.ts';
import { estimateWork, type Work } from '../simulate/script/index.ts';

/** What one simulation may take: all of it is kept until its report is made. */
type SimulationBounds = {
  readonly work: Readonly<Record<keyof Work, number>>;
  /** Characters of the script. */
  readonly script: number;
  /** With those that clients ask again, of which nobody knows before how many they are. */
  readonly asked: number;
};

const MiB = 1024 ** 2;

/** Beside a gateway that works. */
export const API_BOUNDS: SimulationBounds = {
  work: { requests: 20_000, atOnce: 500, words: 1_000_000, bytes: 32 * MiB },
  script: 256 * 1024,
  asked: 40_000,
};

/** In a process of its own. */
export const COMMAND_BOUNDS: SimulationBounds = {
  work: { requests: 100_000, atOnce: 10_000, words: 2_000_000, bytes: 256 * MiB },
  script: MiB,
  asked: 200_000,
};

/** What each is, and what makes it less. */
const WORDS: Readonly<Record<keyof Work, { readonly what: string; readonly less: string }>> = {
  requests: { what: 'requests', less: 'lower rate, count or for' },
  atOnce: { what: 'requests at one moment', less: 'give them a rate' },
  words: { what: 'words of answers', less: 'lower words, or ask less often' },
  bytes: { what: 'bytes of requests', less: 'lower bytes, turns, rate or for' },
};

/** The first bound that a scenario is above, at the row that asks for most of it; null: none. */
export function findExcess(scenario: Scenario, { work: most }: SimulationBounds): Finding | null {
  const work = estimateWork(scenario);
  for (const name of Object.keys(WORDS) as (keyof Work)[]) {
    const { amount, heaviest } = work[name];
    if (amount <= most[name]) continue;
    const message = `the script asks for ${write(amount)} ${WORDS[name].what}; ${write(most[name])} is the most here`;
    return { path: heaviest === null ? [] : [heaviest.list, heaviest.row], message, hint: WORDS[name].less };
  }
  return null;
}

const UNCOUNTED = 1e15;

/** With commas, as large numbers are read. */
const write = (n: number): string => (n < UNCOUNTED ? Math.ceil(n).toLocaleString('en-US') : 'countless');
