import { createStreamDecoder } from '../../src/protocol/openai-responses/stream-decode.ts';
import type { DecoderOptions, StreamDecoder } from '../../src/protocol/types.ts';
import { DECODER_OPTIONS, type DecoderRun, readFrames, runDecoder } from './decoder-run.ts';

// Responses streams in few words, and what a decoder makes of them.

export const OPTIONS = DECODER_OPTIONS;

/** One event, with its name. */
export const event = (type: string, members: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

/** The same events with numbers, from 0 on. */
export const numbers = (events: readonly string[], from = 0): string[] =>
  events.map((text, i) => text.replace(/("type":"[^"]*")/, `$1,"sequence_number":${from + i}`));

export const response = (members: object = {}): object => ({
  id: 'resp_1',
  object: 'response',
  status: 'in_progress',
  output: [],
  ...members,
});
export const USAGE = { input_tokens: 5, output_tokens: 3, total_tokens: 8 };
export const message = (text: string, id = 'msg_1'): object => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
export const call = (args = '{"n":1}', rest: object = {}): object => ({
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'pay',
  arguments: args,
  status: 'completed',
  ...rest,
});

export const CREATED = event('response.created', { response: response() });
export const added = (item: object, output_index = 0): string =>
  event('response.output_item.added', { output_index, item });
export const done = (item: object, output_index = 0): string =>
  event('response.output_item.done', { output_index, item });
export const OPENED = added({ id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] });
export const delta = (text: string, rest: object = {}): string =>
  event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta: text, ...rest });
export const textDone = (text: string): string =>
  event('response.output_text.done', { item_id: 'msg_1', output_index: 0, content_index: 0, text });
export const completed = (output: readonly object[] = [], rest: object = {}): string =>
  event('response.completed', { response: response({ status: 'completed', output, usage: USAGE, ...rest }) });
export const incomplete = (reason: string | null, output: readonly object[] = []): string =>
  event('response.incomplete', {
    response: response({ status: 'incomplete', output, incomplete_details: reason === null ? null : { reason } }),
  });
export const failed = (error: object | null): string =>
  event('response.failed', { response: response({ status: 'failed', error }) });

export type Run = DecoderRun & { decoder: StreamDecoder };

export function run(stream: string | readonly string[], options: Partial<DecoderOptions> = {}, clean = true): Run {
  const decoder = createStreamDecoder({ ...OPTIONS, ...options });
  return { ...runDecoder(decoder, stream, clean), decoder };
}

export const read = readFrames;

export const payloads = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json as string));
