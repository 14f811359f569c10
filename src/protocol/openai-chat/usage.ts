import type { JsonObject } from '../../core/model/json-value.ts';
import type { Usage } from '../../core/model/usage.ts';
import { isObject } from './types.ts';

type WireUsage = {
  readonly prompt_tokens?: unknown;
  readonly input_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_cache_hit_tokens?: unknown;
  readonly cached_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
  readonly prompt_tokens_details?: unknown;
  readonly input_tokens_details?: unknown;
  readonly completion_tokens_details?: unknown;
  readonly output_tokens_details?: unknown;
};

type WireDetails = {
  readonly cached_tokens?: unknown;
  readonly cache_write_tokens?: unknown;
  readonly cache_creation_tokens?: unknown;
  readonly reasoning_tokens?: unknown;
};

/** The first that is a number of tokens; null when none is. */
function tokens(...values: readonly unknown[]): number | null {
  for (const value of values) if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  return null;
}

const detailsOf = (first: unknown, second: unknown): WireDetails =>
  isObject<WireDetails>(first) ? first : isObject<WireDetails>(second) ? second : {};

/**
 * A `usage` object in any of its spellings; null when it tells nothing. `prompt_tokens` includes cached ones already.
 */
export function readUsage(value: unknown): Usage | null {
  if (!isObject<WireUsage>(value)) return null;
  const input = detailsOf(value.prompt_tokens_details, value.input_tokens_details);
  const output = detailsOf(value.completion_tokens_details, value.output_tokens_details);
  const inputTokens = tokens(value.prompt_tokens, value.input_tokens);
  const outputTokens = readOutput(value, inputTokens);
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    reasoningTokens: tokens(output.reasoning_tokens),
    cachedTokens: tokens(input.cached_tokens, value.prompt_cache_hit_tokens, value.cached_tokens),
    cacheWriteTokens: tokens(input.cache_write_tokens, input.cache_creation_tokens, value.cache_creation_input_tokens),
    source: 'reported',
  };
}

/** Some servers report no output (or 0) where all of it was reasoning; the total then tells what was spent. */
function readOutput(value: WireUsage, inputTokens: number | null): number | null {
  const told = tokens(value.completion_tokens, value.output_tokens);
  const total = tokens(value.total_tokens);
  if ((told ?? 0) > 0 || inputTokens === null || total === null) return told;
  return total > inputTokens ? total - inputTokens : told;
}

const known = (members: Readonly<Record<string, number | null>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, number] => entry[1] !== null));

/** Usage as the protocol tells it; what is unknown is left out. Null where nothing is known. */
export function writeUsage(usage: Usage): JsonObject | null {
  const { inputTokens, outputTokens, reasoningTokens, cachedTokens, cacheWriteTokens } = usage;
  if (inputTokens === null && outputTokens === null) return null;
  const input = known({ cached_tokens: cachedTokens, cache_write_tokens: cacheWriteTokens });
  const output = known({ reasoning_tokens: reasoningTokens });
  return {
    ...known({
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
    }),
    ...(Object.keys(input).length === 0 ? {} : { prompt_tokens_details: input }),
    ...(Object.keys(output).length === 0 ? {} : { completion_tokens_details: output }),
  };
}
