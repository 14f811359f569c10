import { countTokens, namedFrame, splitWords, type Trouble, type Voice } from './voice.ts';

const ERRORS: Readonly<Record<Trouble, string>> = {
  overloaded: 'overloaded_error',
  rate_limited: 'rate_limit_error',
  broken: 'api_error',
  retired: 'not_found_error',
  unknown_model: 'not_found_error',
};

const usage = (outputTokens: number): object => ({
  input_tokens: countTokens(0).input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: outputTokens,
});

const message = (model: string, content: readonly object[], stop: string | null, outputTokens: number): object => ({
  id: 'msg_demo',
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: usage(outputTokens),
});

const error = (trouble: Trouble, text: string) =>
  ({ type: 'error', error: { type: ERRORS[trouble], message: text } }) as const;

const event = (type: string, members: object = {}): string => namedFrame({ type, ...members });

export const messagesVoice: Voice = {
  opening: ({ model }) => [event('message_start', { message: message(model, [], null, 1) }), event('ping')],
  begin: () => [event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })],
  word: (_request, text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  closing: (_request, said) => [
    ...(said.length === 0 ? [] : [event('content_block_stop', { index: 0 })]),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: said.length },
    }),
    event('message_stop'),
  ],
  streamError: (trouble, text) => namedFrame(error(trouble, text)),
  completion: ({ model }, content) =>
    message(model, content === '' ? [] : [{ type: 'text', text: content }], 'end_turn', splitWords(content).length),
  error,
};
