import { type AnswerHead, type ErrorParts, namedFrame, type Tokens } from './frame.ts';

/** The Responses API as simulated providers write it. Events are numbered from 0. */
export const responsesEvent = (type: string, sequence: number, members: object): string =>
  namedFrame({ type, sequence_number: sequence, ...members });

export const responsesUsage = ({ input, output, reasoning = 0 }: Tokens): object => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
});

export type ResponseParts = {
  readonly status: string;
  readonly output: readonly object[];
  readonly usage: Tokens | null;
  /** Of an incomplete one. */
  readonly reason?: string;
  /** Of a failed one. */
  readonly error?: ErrorParts;
};

/** The Response object: inside lifecycle events, or as a JSON answer. */
export const responseOf = ({ id, model }: AnswerHead, { status, output, usage, reason, error }: ResponseParts) => ({
  id,
  object: 'response',
  created_at: 0,
  status,
  error: error === undefined ? null : { code: error.code, message: error.message, ...error.more },
  incomplete_details: reason === undefined ? null : { reason },
  instructions: null,
  model,
  output,
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage: usage === null ? null : responsesUsage(usage),
});

export const textPart = (text: string): object => ({ type: 'output_text', text, annotations: [], logprobs: [] });

export const messageItem = (id: string, status: string, content: readonly object[]): object => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content,
});

/** `error`, in which a stream may end without a response that failed. */
export const responsesErrorEvent = (sequence: number, { code, message, param, more }: ErrorParts): string =>
  responsesEvent('error', sequence, { code, message, param, ...more });
