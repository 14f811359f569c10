/**
 * What is read of Chat Completions on the wire. Nothing is believed: every member is `unknown` until it was looked at,
 * since most of what speaks this format is not its author.
 */
export type WireChunk = {
  readonly id?: unknown;
  readonly object?: unknown;
  readonly type?: unknown;
  readonly created?: unknown;
  readonly model?: unknown;
  readonly choices?: unknown;
  readonly usage?: unknown;
  readonly x_groq?: unknown;
  readonly error?: unknown;
  readonly errors?: unknown;
  readonly detail?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly title?: unknown;
  readonly prompt_filter_results?: unknown;
};

export type WireChoice = {
  readonly index?: unknown;
  readonly delta?: unknown;
  readonly message?: unknown;
  readonly finish_reason?: unknown;
  readonly error?: unknown;
  readonly usage?: unknown;
  readonly logprobs?: unknown;
  readonly content_filter_results?: unknown;
};

/** A `delta` of a stream or the `message` of a JSON answer. */
export type WireMessage = { readonly tool_calls?: unknown; readonly function_call?: unknown } & Readonly<
  Record<string, unknown>
>;

export type WireToolCall = {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly type?: unknown;
  readonly function?: unknown;
  readonly custom?: unknown;
};

export type WireFunction = { readonly name?: unknown; readonly arguments?: unknown };

export { hasSubstance, isObject, nonEmpty } from '../shared/value.ts';
