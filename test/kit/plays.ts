import type { Piece, Play } from '../../src/simulate/world/network.ts';
import { DONE, delta, STOP } from './chat-stream.ts';

// What providers say, in few words.

/** A chunk of text. */
export const text = (content: string): string => delta({ content });

/** A whole streamed answer of one chunk. */
export const says = (content: string, play: Play = {}): Play => ({ body: [text(content), STOP, DONE], ...play });

/** A stream of pieces, and how it ends. */
export const streams = (body: readonly Piece[], play: Play = {}): Play => ({
  body,
  ...play,
});

const JSON_HEAD = { 'content-type': 'application/json' };

export const completion = (content: string | null, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...more,
  });

/** A whole JSON answer. */
export const tells = (content: string, play: Play = {}): Play => ({
  headers: JSON_HEAD,
  body: [completion(content)],
  ...play,
});

/** An error status with the body that OpenAI gives it. */
export const fails = (status: number, error: Readonly<Record<string, unknown>> = {}, play: Play = {}): Play => ({
  status,
  headers: JSON_HEAD,
  body: [JSON.stringify({ error: { message: 'no', type: null, code: null, param: null, ...error } })],
  ...play,
});

/** Takes the request and says nothing at all. */
export const SILENCE: Play = { headMs: null };
