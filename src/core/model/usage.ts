/**
 * Tokens of one answer. `inputTokens` includes cached ones. `null` is unknown, which is never shown or summed as 0.
 */
export type Usage = {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly cachedTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly source: 'reported' | 'estimated' | 'unknown';
};

export const UNKNOWN_USAGE: Usage = {
  inputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  source: 'unknown',
};
