import type { Translation } from '../translation.ts';
import { createAnswerDecoder, readAnswer } from './answer-decode.ts';
import { writeAnswer } from './answer-encode.ts';
import { lacks } from './lacks.ts';
import { readPrompt } from './prompt.ts';
import { writePrompt } from './prompt-encode.ts';
import { createAnswerEncoder } from './stream-encode.ts';

/** The OpenAI Responses API, from and to the canonical model. */
export const translation: Translation = {
  readPrompt,
  lacks,
  writePrompt,
  createAnswerDecoder,
  readAnswer,
  createAnswerEncoder,
  writeAnswer,
  spelling: {
    maxOutputTokens: 'max_output_tokens',
    topP: 'top_p',
    topLogprobs: 'top_logprobs',
    logprobs: 'include',
    responseFormat: 'text.format',
    verbosity: 'text.verbosity',
    reasoning: 'reasoning',
    'reasoning.setting': 'reasoning',
    'reasoning.show': 'reasoning.summary',
    toolChoice: 'tool_choice',
    parallelToolCalls: 'parallel_tool_calls',
    serviceTier: 'service_tier',
    promptCacheKey: 'prompt_cache_key',
    promptCacheRetention: 'prompt_cache_retention',
    userId: 'user',
    safetyId: 'safety_identifier',
    cache: 'prompt_cache_breakpoint',
    citations: 'annotations',
  },
};

export { isNameless } from './members.ts';
