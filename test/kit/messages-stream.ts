import type { Usage } from '../../src/core/model/usage.ts';
import { createStreamDecoder } from '../../src/protocol/anthropic-messages/stream-decode.ts';
import type { DecoderOptions } from '../../src/protocol/types.ts';
import { DECODER_OPTIONS, type DecoderRun, runDecoder } from './decoder-run.ts';

// Messages streams in few words, and what a decoder makes of them.

export const OPTIONS = DECODER_OPTIONS;

type Json = Record<string, unknown>;

export const event = (type: string, rest: Json = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
export const start = (usage: Json | null = { input_tokens: 5, output_tokens: 1 }, rest: Json = {}): string =>
  event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage,
      ...rest,
    },
  });
export const open = (content_block: unknown, index: unknown = 0): string =>
  event('content_block_start', { index, content_block });
export const delta = (value: unknown, index: unknown = 0): string =>
  event('content_block_delta', { index, delta: value });
export const close = (index: unknown = 0): string => event('content_block_stop', { index });
export const text = (words: unknown, index = 0): string => delta({ type: 'text_delta', text: words }, index);
export const stop = (stop_reason: unknown = 'end_turn', usage: Json | null = { output_tokens: 3 }): string =>
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, ...(usage === null ? {} : { usage }) });
export const STOP = event('message_stop');
export const PING = event('ping');
export const TEXT = { type: 'text', text: '' };
export const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} };

/** A block of text, from start to stop. */
export const said = (words: string, index = 0): string => open(TEXT, index) + text(words, index) + close(index);
/** A tool call, from start to stop. */
export const called = (index = 0, block: Json = TOOL): string =>
  open(block, index) + delta({ type: 'input_json_delta', partial_json: '{"p":1}' }, index) + close(index);

export type Run = DecoderRun & { usage: Usage | null };

export function run(stream: string | readonly string[], options: Partial<DecoderOptions> = {}, clean = true): Run {
  const decoder = createStreamDecoder({ ...OPTIONS, ...options });
  return { ...runDecoder(decoder, stream, clean), usage: decoder.usage() };
}
