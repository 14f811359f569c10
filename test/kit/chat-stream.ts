import { createStreamDecoder } from '../../src/protocol/openai-chat/stream-decode.ts';
import type { DecoderOptions } from '../../src/protocol/types.ts';
import { DECODER_OPTIONS, type DecoderRun, runDecoder } from './decoder-run.ts';

// Chat streams in few words, and what a decoder makes of them.

export const OPTIONS: DecoderOptions = { ...DECODER_OPTIONS, usageAsked: false };

export const chunk = (rest: object, choices: unknown = []): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest })}\n\n`;
export const delta = (value: unknown, finish: unknown = null, index = 0): string =>
  chunk({}, [{ index, delta: value, finish_reason: finish }]);
export const call = (...calls: object[]): string => delta({ tool_calls: calls });
export const DONE = 'data: [DONE]\n\n';
export const STOP = delta({}, 'stop');

export type Run = DecoderRun;

export const run = (
  stream: string | readonly string[],
  options: Partial<DecoderOptions> = {},
  clean = true,
): DecoderRun => runDecoder(createStreamDecoder({ ...OPTIONS, ...options }), stream, clean);

export const payloads = (
  text: string,
): { choices: { delta: { tool_calls?: unknown[] }; finish_reason: unknown }[] }[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json as string));
export const toolCalls = (text: string): unknown[] =>
  payloads(text).flatMap(({ choices }) => choices.flatMap((choice) => choice.delta.tool_calls ?? []));
