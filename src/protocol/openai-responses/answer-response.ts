import type { JsonObject } from '../../core/model/json-value.ts';
import type { Usage } from '../../core/model/usage.ts';
import type { Ending } from './finish.ts';

/** What all response objects of one answer have in common. */
export type ResponseHead = {
  readonly id: string;
  readonly model: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly serviceTier: string | null;
  /** It can be asked for by its id. */
  readonly isStored: boolean;
};

/**
 * Tokens as this protocol tells them; null: nothing is known. Counts that have to be numbers are 0 where only their
 * sibling is known; details that nobody knows are left out.
 */
export function writeUsage(usage: Usage | null): JsonObject | null {
  if (usage === null || (usage.inputTokens === null && usage.outputTokens === null)) return null;
  const { cachedTokens, cacheWriteTokens, reasoningTokens } = usage;
  const [input, output] = [usage.inputTokens ?? 0, usage.outputTokens ?? 0];
  const hasCache = cachedTokens !== null || cacheWriteTokens !== null;
  const written = cacheWriteTokens === null ? {} : { cache_write_tokens: cacheWriteTokens };
  return {
    input_tokens: input,
    ...(hasCache ? { input_tokens_details: { cached_tokens: cachedTokens ?? 0, ...written } } : {}),
    output_tokens: output,
    ...(reasoningTokens === null ? {} : { output_tokens_details: { reasoning_tokens: reasoningTokens } }),
    total_tokens: input + output,
  };
}

/**
 * A whole response object. What the provider was asked for is not known here: those members are as they are in an answer
 * to a request that left them open.
 */
export function responseObject(
  head: ResponseHead,
  output: readonly JsonObject[],
  ending: Ending | null,
  usage: JsonObject | null,
): JsonObject {
  const isFailed = ending?.status === 'failed';
  return {
    id: head.id,
    object: 'response',
    created_at: Math.floor(head.createdAt / 1000),
    status: ending?.status ?? 'in_progress',
    background: false,
    error: isFailed ? { code: 'server_error', message: 'The model failed to answer.' } : null,
    incomplete_details: ending?.status === 'incomplete' ? { reason: ending.reason } : null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model: head.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    ...(head.serviceTier === null ? {} : { service_tier: head.serviceTier }),
    store: head.isStored,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage,
    user: null,
  };
}
