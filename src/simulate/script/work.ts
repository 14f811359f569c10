import type { AskRow, Behaviour, Scenario } from '../scenario/scenario.ts';

/** How much a scenario asks of the machine that plays it, at most and without what clients ask again. */
export type Work = {
  readonly requests: number;
  /** Most of them at one moment. */
  readonly atOnce: number;
  /** Words, events and tool calls of all answers, if each provider said the most that any row has it say. */
  readonly words: number;
  /** Bytes of all requests. */
  readonly bytes: number;
};

/** A part of the work, and the row of the script that asks for most of it; null: no row does. */
export type Share = {
  readonly amount: number;
  readonly heaviest: { readonly list: 'asks' | 'providers'; readonly row: number } | null;
};

const PLAIN_WORDS = 8;
const PLAIN_BYTES = 512;
const TURN_BYTES = 256;
/** A frame of megabytes counts as so many words. */
const HUGE_WORDS = 2000;

export function estimateWork({ asks, forMs, providers }: Scenario): Readonly<Record<keyof Work, Share>> {
  const counts = asks.map((row) => countAsks(row, forMs));
  const requests = sum(counts);
  const spoken = providers.map(({ does }) => wordsOf(does));
  const sizes = asks.map(({ shape }, i) => (counts[i] ?? 0) * bytesOf(shape));
  const atOnce = countAtOnce(asks, counts);
  return {
    requests: { amount: requests, heaviest: heaviest('asks', counts) },
    atOnce: { amount: Math.max(0, ...atOnce), heaviest: heaviest('asks', atOnce) },
    words: {
      amount: requests === 0 ? 0 : requests * Math.max(PLAIN_WORDS, ...spoken),
      heaviest: Math.max(0, ...spoken) > PLAIN_WORDS ? heaviest('providers', spoken) : heaviest('asks', counts),
    },
    bytes: { amount: sum(sizes), heaviest: heaviest('asks', sizes) },
  };
}

/** How many requests a row asks for at most. */
export function countAsks({ perSecond, count, fromMs, untilMs }: AskRow, forMs: number): number {
  if (perSecond === null) return fromMs > forMs ? 0 : (count ?? 1);
  const span = Math.max(0, Math.min(untilMs ?? forMs, forMs) - fromMs);
  return Math.min(count ?? Number.POSITIVE_INFINITY, Math.ceil((span / 1000) * perSecond));
}

/** For each row, what all rows together ask for at its moment. */
function countAtOnce(asks: readonly AskRow[], counts: readonly number[]): readonly number[] {
  const bursts = new Map<number, number>();
  for (const [i, { perSecond, fromMs }] of asks.entries())
    if (perSecond === null) bursts.set(fromMs, (bursts.get(fromMs) ?? 0) + (counts[i] ?? 0));
  return asks.map(({ perSecond, fromMs }, i) =>
    perSecond === null ? (bursts.get(fromMs) ?? 0) : Math.min(1, counts[i] ?? 0),
  );
}

function wordsOf({ words = PLAIN_WORDS, reasoning = 0, tools = 0, pings = 0, fault }: Behaviour): number {
  const isHeavy = fault?.kind === 'huge' || fault?.kind === 'flood';
  return words + reasoning + tools * 4 + pings + (isHeavy ? HUGE_WORDS : 0);
}

const bytesOf = ({ bytes = 0, turns = 0 }: AskRow['shape']): number => PLAIN_BYTES + bytes + turns * TURN_BYTES;

function heaviest(list: 'asks' | 'providers', amounts: readonly number[]): Share['heaviest'] {
  const row = amounts.indexOf(Math.max(...amounts));
  return row < 0 ? null : { list, row };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
