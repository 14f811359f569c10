import { CHAT_DONE, chatChunk, chatCompletion, chatUsage, openaiError } from '../wire/chat.ts';
import { dataFrame } from '../wire/frame.ts';
import { countTokens, type DemoRequest, splitWords, type Trouble, type Voice } from './voice.ts';

const headOf = ({ model }: DemoRequest) => ({ id: 'chatcmpl-demo', model });

/** Type and code of each trouble. */
const ERRORS: Readonly<Record<Trouble, readonly [type: string, code: string | null]>> = {
  overloaded: ['server_error', null],
  rate_limited: ['rate_limit_error', 'rate_limit_exceeded'],
  broken: ['server_error', null],
  retired: ['invalid_request_error', 'model_retired'],
  unknown_model: ['invalid_request_error', 'model_not_found'],
};

/** The form of an error that OpenAI's protocols share outside streams. */
export function openaiTrouble(trouble: Trouble, message: string): object {
  const [type, code] = ERRORS[trouble];
  return openaiError({ message, type, code, param: null });
}

export const chatVoice: Voice = {
  opening: (request) => [dataFrame(chatChunk(headOf(request), { role: 'assistant', content: '' }))],
  begin: () => [],
  word: (request, content) => dataFrame(chatChunk(headOf(request), { content })),
  closing: (request, said) => {
    const chunk = chatChunk(headOf(request), {}, 'stop');
    const usage = { ...chunk, choices: [], usage: chatUsage(countTokens(said.length)) };
    return [dataFrame(chunk), ...(request.wantsUsage ? [dataFrame(usage)] : []), CHAT_DONE];
  },
  streamError: (trouble, message) => dataFrame(openaiTrouble(trouble, message)),
  completion: (request, content) =>
    chatCompletion(headOf(request), { content }, 'stop', countTokens(splitWords(content).length)),
  error: openaiTrouble,
};
