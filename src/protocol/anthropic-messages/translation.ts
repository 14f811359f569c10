import type { Translation } from '../translation.ts';
import { createAnswerDecoder, readAnswer } from './answer-decode.ts';
import { writeAnswer } from './answer-encode.ts';
import { lacks } from './lacks.ts';
import { readPrompt } from './prompt.ts';
import { writePrompt } from './prompt-encode.ts';
import { createAnswerEncoder } from './stream-encode.ts';

/** Anthropic Messages, from and to the canonical model. */
export const translation: Translation = {
  readPrompt,
  lacks,
  writePrompt,
  createAnswerDecoder,
  readAnswer,
  createAnswerEncoder,
  writeAnswer,
  spelling: {
    maxOutputTokens: 'max_tokens',
    topP: 'top_p',
    topK: 'top_k',
    stop: 'stop_sequences',
    reasoning: 'thinking',
    'reasoning.setting': 'thinking',
    'reasoning.show': 'thinking.display',
    responseFormat: 'output_config.format',
    toolChoice: 'tool_choice',
    parallelToolCalls: 'disable_parallel_tool_use',
    serviceTier: 'service_tier',
    userId: 'metadata.user_id',
    cache: 'cache_control',
    isError: 'is_error',
    strict: 'strict',
  },
};
