import type { Usage } from '../model/usage.ts';

/** Tokens of many answers. A sum is null when none of them is known; `unknown` says how many are not in it at all. */
export type UsageSum = {
  readonly answers: number;
  readonly unknown: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly cachedTokens: number | null;
  readonly cacheWriteTokens: number | null;
};

export const NO_USAGE: UsageSum = {
  answers: 0,
  unknown: 0,
  inputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
};

/** Of one answer that has ended. */
export function usageOf(usage: Usage | null): UsageSum {
  if (usage === null || usage.source === 'unknown') return { ...NO_USAGE, answers: 1, unknown: 1 };
  const { source: _source, ...tokens } = usage;
  return { ...tokens, answers: 1, unknown: 0 };
}

export function addUsage(one: UsageSum, other: UsageSum): UsageSum {
  return {
    answers: one.answers + other.answers,
    unknown: one.unknown + other.unknown,
    inputTokens: addKnown(one.inputTokens, other.inputTokens),
    outputTokens: addKnown(one.outputTokens, other.outputTokens),
    reasoningTokens: addKnown(one.reasoningTokens, other.reasoningTokens),
    cachedTokens: addKnown(one.cachedTokens, other.cachedTokens),
    cacheWriteTokens: addKnown(one.cacheWriteTokens, other.cacheWriteTokens),
  };
}

/** Unknown is not 0: it leaves a sum as it is. */
function addKnown(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : one + other;
}
