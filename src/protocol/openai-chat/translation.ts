import type { Translation } from '../translation.ts';
import { createAnswerDecoder, readAnswer } from './answer-decode.ts';
import { writeAnswer } from './answer-encode.ts';
import { lacks } from './lacks.ts';
import { readPrompt } from './prompt.ts';
import { writePrompt } from './prompt-encode.ts';
import { SETTINGS } from './settings-read.ts';
import { createAnswerEncoder } from './stream-encode.ts';

/** OpenAI Chat Completions, from and to the canonical model. */
export const translation: Translation = {
  readPrompt,
  lacks,
  writePrompt,
  createAnswerDecoder,
  readAnswer,
  createAnswerEncoder,
  writeAnswer,
  spelling: {
    ...Object.fromEntries(SETTINGS.map(({ wire, name }) => [name, wire])),
    maxOutputTokens: 'max_completion_tokens',
    stop: 'stop',
    responseFormat: 'response_format',
    reasoning: 'reasoning_content',
    'reasoning.setting': 'reasoning_effort',
    'reasoning.show': 'reasoning.exclude',
    toolChoice: 'tool_choice',
    cache: 'cache_control',
  },
};
