import type { Translation } from '../translation.ts';
import { createAnswerDecoder, readAnswer } from './answer-decode.ts';
import { writeAnswer } from './answer-encode.ts';
import { lacks } from './lacks.ts';
import { readPrompt } from './prompt.ts';
import { writePrompt } from './prompt-encode.ts';
import { createAnswerEncoder } from './stream-encode.ts';

/** Gemini, translated from and to. */
export const translation: Translation = {
  readPrompt,
  lacks,
  writePrompt,
  createAnswerDecoder,
  readAnswer,
  createAnswerEncoder,
  writeAnswer,
  spelling: {
    maxOutputTokens: 'generationConfig.maxOutputTokens',
    temperature: 'generationConfig.temperature',
    topP: 'generationConfig.topP',
    topK: 'generationConfig.topK',
    n: 'generationConfig.candidateCount',
    seed: 'generationConfig.seed',
    stop: 'generationConfig.stopSequences',
    presencePenalty: 'generationConfig.presencePenalty',
    frequencyPenalty: 'generationConfig.frequencyPenalty',
    logprobs: 'generationConfig.responseLogprobs',
    topLogprobs: 'generationConfig.logprobs',
    responseFormat: 'generationConfig.responseMimeType',
    reasoning: 'thought',
    'reasoning.setting': 'generationConfig.thinkingConfig',
    'reasoning.show': 'generationConfig.thinkingConfig.includeThoughts',
    modalities: 'generationConfig.responseModalities',
    audio: 'generationConfig.speechConfig',
    toolChoice: 'toolConfig.functionCallingConfig',
    web_search: 'googleSearch',
    web_fetch: 'urlContext',
    code_execution: 'codeExecution',
    file_search: 'fileSearch',
    computer: 'computerUse',
    mcp: 'mcpServers',
  },
};
