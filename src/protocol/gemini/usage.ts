import type { Usage } from '../../core/model/usage.ts';
import { isObject, tokenCount } from '../shared/value.ts';

type WireUsage = {
  readonly promptTokenCount?: unknown;
  readonly toolUsePromptTokenCount?: unknown;
  readonly cachedContentTokenCount?: unknown;
  readonly candidatesTokenCount?: unknown;
  readonly thoughtsTokenCount?: unknown;
};

/**
 * Null when nothing is told. On the wire thoughts stand beside the output, and what tools brought in stands beside the
 * prompt; here they are parts of them. A count of zero is left out on the wire, so that thoughts alone are all output.
 */
export function readUsage(value: unknown): Usage | null {
  if (!isObject<WireUsage>(value)) return null;
  const prompt = tokenCount(value.promptTokenCount);
  const output = tokenCount(value.candidatesTokenCount);
  const thoughts = tokenCount(value.thoughtsTokenCount);
  if (prompt === null && output === null && thoughts === null) return null;
  return {
    inputTokens: prompt === null ? null : prompt + (tokenCount(value.toolUsePromptTokenCount) ?? 0),
    outputTokens: output === null && thoughts === null ? null : (output ?? 0) + (thoughts ?? 0),
    reasoningTokens: thoughts,
    cachedTokens: tokenCount(value.cachedContentTokenCount),
    cacheWriteTokens: null,
    source: 'reported',
  };
}

/** What is unknown is left out; null when nothing is known. */
export function writeUsage(usage: Usage): object | null {
  const { inputTokens, outputTokens, cachedTokens } = usage;
  if (inputTokens === null && outputTokens === null) return null;
  // Thoughts are a part of the output: whoever counts more of them would not add up.
  const reasoningTokens =
    usage.reasoningTokens === null ? null : Math.min(usage.reasoningTokens, outputTokens ?? usage.reasoningTokens);
  return {
    ...(inputTokens === null ? {} : { promptTokenCount: inputTokens }),
    ...(cachedTokens === null ? {} : { cachedContentTokenCount: cachedTokens }),
    ...(outputTokens === null ? {} : { candidatesTokenCount: outputTokens - (reasoningTokens ?? 0) }),
    ...(reasoningTokens === null ? {} : { thoughtsTokenCount: reasoningTokens }),
    ...(inputTokens === null || outputTokens === null ? {} : { totalTokenCount: inputTokens + outputTokens }),
  };
}
