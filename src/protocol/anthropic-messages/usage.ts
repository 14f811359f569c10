import type { Usage } from '../../core/model/usage.ts';
import { isObject, tokenCount } from '../shared/value.ts';

/** What was told so far, as the wire parts it: `input` leaves cached tokens out. */
export type UsageParts = {
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  readonly thinking: number | null;
};

export const NO_USAGE: UsageParts = { input: null, cacheRead: null, cacheWrite: null, output: null, thinking: null };

type WireUsage = {
  readonly input_tokens?: unknown;
  readonly cache_read_input_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
  readonly cache_creation?: unknown;
  readonly output_tokens?: unknown;
  readonly output_tokens_details?: unknown;
};

/** A later statement replaces the earlier one, member by member; null when it states nothing. */
export function mergeUsage(before: UsageParts, value: unknown): UsageParts | null {
  const told = readParts(value);
  if (told.input === null && told.output === null && told.cacheRead === null) return null;
  const prompt = isPrompt(told) || before.input === null ? told : NO_USAGE;
  return {
    input: prompt.input ?? before.input,
    cacheRead: prompt.cacheRead ?? before.cacheRead,
    cacheWrite: prompt.cacheWrite ?? before.cacheWrite,
    output: told.output ?? before.output,
    thinking: told.thinking ?? before.thinking,
  };
}

function readParts(value: unknown): UsageParts {
  if (!isObject<WireUsage>(value)) return NO_USAGE;
  const details = value.output_tokens_details;
  return {
    input: tokenCount(value.input_tokens),
    cacheRead: tokenCount(value.cache_read_input_tokens),
    cacheWrite: tokenCount(value.cache_creation_input_tokens) ?? writtenBy(value.cache_creation),
    output: tokenCount(value.output_tokens),
    thinking: isObject<{ thinking_tokens?: unknown }>(details) ? tokenCount(details.thinking_tokens) : null,
  };
}

/** No prompt is of no tokens: such a count stands for "see above". */
const isPrompt = ({ input, cacheRead, cacheWrite }: UsageParts): boolean =>
  (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) > 0;

/** Tokens written to the cache, told apart by how long they are kept. */
function writtenBy(value: unknown): number | null {
  if (!isObject(value)) return null;
  const parts = Object.values(value).map(tokenCount);
  return parts.length === 0 || parts.includes(null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
}

/** Null while nothing was told. Here `inputTokens` includes what came out of the cache or went into it. */
export function usageOf(parts: UsageParts): Usage | null {
  const { input, cacheRead, cacheWrite, output, thinking } = parts;
  if (input === null && cacheRead === null && output === null) return null;
  return {
    inputTokens: input === null ? null : input + (cacheRead ?? 0) + (cacheWrite ?? 0),
    outputTokens: output,
    reasoningTokens: thinking,
    cachedTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    source: 'reported',
  };
}
