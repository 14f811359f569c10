import type { SettingName } from '../../model/prompt.ts';

/**
 * Settings that a translated request can do without, by the names that providers call them by in an error. What would
 * change what was asked (tools, formats, how many answers, the limit) is not here.
 */
export const SETTING_NAMES: readonly (readonly [setting: SettingName, names: readonly string[]])[] = [
  ['temperature', ['temperature']],
  ['topP', ['top_p', 'topp']],
  ['topK', ['top_k', 'topk']],
  ['minP', ['min_p']],
  ['seed', ['seed']],
  ['frequencyPenalty', ['frequency_penalty', 'frequencypenalty']],
  ['presencePenalty', ['presence_penalty', 'presencepenalty']],
  ['repetitionPenalty', ['repetition_penalty']],
  ['logitBias', ['logit_bias']],
  ['stop', ['stop', 'stop_sequences', 'stopsequences']],
  ['verbosity', ['verbosity', 'text.verbosity']],
  ['serviceTier', ['service_tier', 'servicetier']],
  ['promptCacheKey', ['prompt_cache_key']],
  ['promptCacheRetention', ['prompt_cache_retention']],
  ['metadata', ['metadata']],
  ['userId', ['user', 'metadata.user_id']],
  ['safetyId', ['safety_identifier']],
  ['parallelToolCalls', ['parallel_tool_calls', 'disable_parallel_tool_use']],
  ['prediction', ['prediction']],
  ['store', ['store']],
];
