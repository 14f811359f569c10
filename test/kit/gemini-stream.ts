import type { Usage } from '../../src/core/model/usage.ts';
import { createStreamDecoder } from '../../src/protocol/gemini/stream-decode.ts';
import type { DecoderOptions } from '../../src/protocol/types.ts';
import { DECODER_OPTIONS, type DecoderRun, runDecoder } from './decoder-run.ts';

// Gemini streams in few words, and what a decoder makes of them.

type Json = Record<string, unknown>;

export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** A chunk of one candidate with these parts. */
export const chunk = (parts: readonly unknown[], rest: Json = {}, top: Json = {}): string =>
  data({ candidates: [{ content: { parts, role: 'model' }, ...rest }], modelVersion: 'm', responseId: 'r1', ...top });
export const said = (text: unknown, rest: Json = {}, top: Json = {}): string => chunk([{ text }], rest, top);
export const thought = (text: unknown): string => chunk([{ text, thought: true }]);
export const call = (name = 'f', args: unknown = { p: 1 }, rest: Json = {}): string =>
  chunk([{ functionCall: { name, args } }], rest);
export const USAGE = { promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 };
/** The last chunk. */
export const stop = (finishReason: unknown = 'STOP', rest: Json = {}): string =>
  said('', { finishReason, ...rest }, { usageMetadata: USAGE });

export type Run = DecoderRun & { usage: Usage | null };

export function run(stream: string | readonly string[], options: Partial<DecoderOptions> = {}, clean = true): Run {
  const decoder = createStreamDecoder({ ...DECODER_OPTIONS, ...options });
  return { ...runDecoder(decoder, stream, clean), usage: decoder.usage() };
}
