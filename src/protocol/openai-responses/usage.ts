import type { Usage } from '../../core/model/usage.ts';
import { isObject, tokenCount } from '../shared/value.ts';

type WireUsage = {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly input_tokens_details?: unknown;
  readonly output_tokens_details?: unknown;
};

type WireDetails = {
  readonly cached_tokens?: unknown;
  readonly cache_write_tokens?: unknown;
  readonly reasoning_tokens?: unknown;
};

const detailsOf = (value: unknown): WireDetails => (isObject<WireDetails>(value) ? value : {});

/** A `usage` object; null when it tells nothing. Input includes cached tokens already. */
export function readUsage(value: unknown): Usage | null {
  if (!isObject<WireUsage>(value)) return null;
  const input = detailsOf(value.input_tokens_details);
  const inputTokens = tokenCount(value.input_tokens);
  const outputTokens = tokenCount(value.output_tokens);
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens,
    outputTokens,
    reasoningTokens: tokenCount(detailsOf(value.output_tokens_details).reasoning_tokens),
    cachedTokens: tokenCount(input.cached_tokens),
    cacheWriteTokens: tokenCount(input.cache_write_tokens),
    source: 'reported',
  };
}
