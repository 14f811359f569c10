import type { AnswerHead, ErrorParts, Tokens } from './frame.ts';

/** Chat Completions as simulated providers write it. */
export const chatChunk = ({ id, model }: AnswerHead, delta: object, finish: string | null = null) => ({
  id,
  object: 'chat.completion.chunk',
  created: 0,
  model,
  choices: [{ index: 0, delta, finish_reason: finish }],
});

export const chatUsage = ({ input, output, reasoning }: Tokens): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
});

/** A whole answer. `usage`: null where it is not told. */
export const chatCompletion = (
  { id, model }: AnswerHead,
  message: object,
  finish: string | null,
  usage: Tokens | null,
): object => ({
  id,
  object: 'chat.completion',
  created: 0,
  model,
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  ...(usage === null ? {} : { usage: chatUsage(usage) }),
});

export const CHAT_DONE = 'data: [DONE]\n\n';

/** OpenAI's form of an error, which its Responses share outside streams. */
export const openaiError = ({ message, type, code, param, more }: ErrorParts): object => ({
  error: { message, type, param, code, ...more },
});
