import { countTokens, type DemoRequest, splitWords, type Trouble, type Voice } from './voice.ts';

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

const chunk = (model: string, delta: object, finish: string | null = null): object => ({
  id: 'chatcmpl-demo',
  object: 'chat.completion.chunk',
  created: 0,
  model,
  choices: [{ index: 0, delta, finish_reason: finish }],
});

function usage(outputTokens: number): object {
  const { input, output, total } = countTokens(outputTokens);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: total };
}

/** Type and code of each trouble. */
const ERRORS: Readonly<Record<Trouble, readonly [type: string, code: string | null]>> = {
  overloaded: ['server_error', null],
  rate_limited: ['rate_limit_error', 'rate_limit_exceeded'],
  broken: ['server_error', null],
  retired: ['invalid_request_error', 'model_retired'],
  unknown_model: ['invalid_request_error', 'model_not_found'],
};

/** OpenAI's form of an error, which its Responses share outside streams. */
export function openaiError(trouble: Trouble, message: string): object {
  const [type, code] = ERRORS[trouble];
  return { error: { message, type, param: null, code } };
}

export const chatVoice: Voice = {
  opening: ({ model }) => [frame(chunk(model, { role: 'assistant', content: '' }))],
  begin: () => [],
  word: ({ model }, content) => frame(chunk(model, { content })),
  closing: ({ model, wantsUsage }, said) => [
    frame(chunk(model, {}, 'stop')),
    ...(wantsUsage ? [frame({ ...chunk(model, {}), choices: [], usage: usage(said.length) })] : []),
    'data: [DONE]\n\n',
  ],
  streamError: (trouble, message) => frame(openaiError(trouble, message)),
  completion: ({ model }: DemoRequest, content) => ({
    id: 'chatcmpl-demo',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: usage(splitWords(content).length),
  }),
  error: openaiError,
};
