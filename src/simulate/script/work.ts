import type { AskRow, Scenario } from '../scenario/scenario.ts';

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

const PLAIN_WORDS = 8;
const PLAIN_BYTES = 512;
const TURN_BYTES = 256;
/** A frame of megabytes counts as so many words. */
const HUGE_WORDS = 2000;

export function estimateWork({ asks, forMs, providers }: Scenario): Work {
  const counts = asks.map((row) => ({ row, count: countOf(row, forMs) }));
  const requests = sum(counts.map(({ count }) => count));
  const longest = providers.map(({ does }) => {
    const { words = PLAIN_WORDS, reasoning = 0, tools = 0, pings = 0, fault } = does;
    const isHeavy = fault?.kind === 'huge' || fault?.kind === 'flood';
    return words + reasoning + tools * 4 + pings + (isHeavy ? HUGE_WORDS : 0);
  });
  return {
    requests,
    atOnce: Math.max(0, ...counts.map(({ row, count }) => (row.perSecond === null ? count : Math.min(count, 1)))),
    words: requests * Math.max(PLAIN_WORDS, ...longest),
    bytes: sum(
      counts.map(
        ({ row: { shape }, count }) => count * (PLAIN_BYTES + (shape.bytes ?? 0) + (shape.turns ?? 0) * TURN_BYTES),
      ),
    ),
  };
}

function countOf({ perSecond, count, fromMs, untilMs }: AskRow, forMs: number): number {
  if (perSecond === null) return fromMs > forMs ? 0 : (count ?? 1);
  const span = Math.max(0, Math.min(untilMs ?? forMs, forMs) - fromMs);
  return Math.min(count ?? Number.POSITIVE_INFINITY, Math.ceil((span / 1000) * perSecond));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
