import type { Protocol } from '../../../src/core/model/protocol.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What a scripted model says in one turn. */
export type Reply =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly input: Json };

/** One answer in the wire format of a provider, so that faults can be put in anywhere. */
export type Spoken = {
  /** Frames before any output. */
  readonly head: readonly string[];
  /** Frames of output. Half of them are an unfinished text, or an unfinished call. */
  readonly body: readonly string[];
  readonly end: readonly string[];
  /** The same answer without a stream. */
  readonly json: Json;
};

/** What a script has to know of a request. */
export type Turn = {
  readonly tools: readonly string[];
  /** A result of a tool is in the history. */
  readonly hasResult: boolean;
  readonly isStream: boolean;
  /** What a vendor would refuse, in words. */
  readonly faults: readonly string[];
};

/** A provider's wire format, written and read by hand: no code of the gateway has a part in it. */
export interface Voice {
  readonly protocol: Protocol;
  /** Paths of generation, as they end. */
  readonly path: RegExp;
  speak(reply: Reply, model: string): Spoken;
  read(body: Json, path: string): Turn;
  /** An error as a body, for a status; and as a frame in a stream. */
  error(status: number): Json;
  readonly errorFrame: string;
}

export const MESSAGE = 'The first target fails on purpose.';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a list that are objects; of anything else, none. */
export const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

export const words = (values: readonly unknown[]): readonly string[] =>
  values.filter((value) => typeof value === 'string');

/** A text in some four pieces. */
export function pieces(text: string): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / 4));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));
}

/** Frames of server-sent events: a name where the format has one, and JSON. */
export const frame = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

let count = 0;
/** Ids as vendors make them: a prefix, and letters that never come again in this run. */
export const freshId = (prefix: string): string =>
  `${prefix}${(++count).toString(36).padStart(12, '0')}x${process.pid.toString(36)}`;

/** Results without a call, and calls that nobody has answered though the history goes on. */
export function unmatched(calls: readonly string[], results: readonly string[]): readonly string[] {
  const lone = results.filter((id) => !calls.includes(id)).map((id) => `a result for ${id}, which nobody called`);
  const open = calls.filter((id) => !results.includes(id)).map((id) => `no result for the call ${id}`);
  const twice = calls.filter((id, n) => calls.indexOf(id) !== n).map((id) => `two calls have the id ${id}`);
  return [...lone, ...open, ...twice];
}
