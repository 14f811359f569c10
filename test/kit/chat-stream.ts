import type { CanonicalEvent, Frame } from '../../src/core/model/event.ts';
import { decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import { createStreamDecoder } from '../../src/protocol/openai-chat/stream-decode.ts';
import type { DecoderOptions } from '../../src/protocol/types.ts';

// Chat streams in few words, and what a decoder makes of them.

export const OPTIONS: DecoderOptions = {
  usageAsked: false,
  choices: 1,
  renameModel: null,
  onMalformed: 'fail',
  maxFrameBytes: 1 << 22,
};

export const chunk = (rest: object, choices: unknown = []): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest })}\n\n`;
export const delta = (value: unknown, finish: unknown = null, index = 0): string =>
  chunk({}, [{ index, delta: value, finish_reason: finish }]);
export const call = (...calls: object[]): string => delta({ tool_calls: calls });
export const DONE = 'data: [DONE]\n\n';
export const STOP = delta({}, 'stop');

export type Run = {
  frames: readonly Frame[];
  text: string;
  types: string[];
  events: CanonicalEvent[];
  edits: string[];
};

export function run(stream: string | readonly string[], options: Partial<DecoderOptions> = {}, clean = true): Run {
  const decoder = createStreamDecoder({ ...OPTIONS, ...options });
  const frames = [stream].flat().flatMap((piece) => decoder.push(encodeUtf8(piece)));
  frames.push(...decoder.end(clean));
  const events = frames.flatMap((frame) => frame.events);
  return {
    frames,
    events,
    text: frames.map((frame) => decodeUtf8(frame.bytes)).join(''),
    types: events.map((event) => (event.type === 'finish' ? `finish:${event.reason}` : event.type)),
    edits: frames.flatMap((frame) => frame.edits),
  };
}

export const payloads = (
  text: string,
): { choices: { delta: { tool_calls?: unknown[] }; finish_reason: unknown }[] }[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json as string));
export const toolCalls = (text: string): unknown[] =>
  payloads(text).flatMap(({ choices }) => choices.flatMap((choice) => choice.delta.tool_calls ?? []));
