import { type AnswerHead, type ErrorParts, namedFrame, type Tokens } from './frame.ts';

/** Anthropic's Messages as simulated providers write it. */
export const messagesEvent = (type: string, members: object = {}): string => namedFrame({ type, ...members });

export const messagesUsage = ({ input, output }: Tokens): object => ({
  input_tokens: input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
});

/** A message: as it begins (no content, no stop), or whole. `usage`: null where it is not told. */
export const messageOf = (
  { id, model }: AnswerHead,
  content: readonly object[],
  stop: string | null,
  usage: Tokens | null,
): object => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  ...(usage === null ? {} : { usage: messagesUsage(usage) }),
});

export const blockStart = (index: number, block: object): string =>
  messagesEvent('content_block_start', { index, content_block: block });

export const blockDelta = (index: number, delta: object): string =>
  messagesEvent('content_block_delta', { index, delta });

export const blockStop = (index: number): string => messagesEvent('content_block_stop', { index });

/** The last but one event. Members that are null are not told. */
export const messageDelta = (stop: string | null, usage: object | null): string =>
  messagesEvent('message_delta', {
    delta: { stop_reason: stop, stop_sequence: null },
    ...(usage === null ? {} : { usage }),
  });

export const messagesError = ({ message, type, code, param, more }: ErrorParts) =>
  ({
    type: 'error',
    error: { type, message, ...(code === null ? {} : { code }), ...(param === null ? {} : { param }), ...more },
  }) as const;
