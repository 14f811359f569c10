/**
 * What is read of the Responses API on the wire. Nothing is believed: every member is `unknown` until it was looked at,
 * since most of what speaks this format is not its author.
 */
export type WireEvent = {
  readonly type?: unknown;
  readonly sequence_number?: unknown;
  readonly response?: unknown;
  readonly output_index?: unknown;
  readonly content_index?: unknown;
  readonly summary_index?: unknown;
  readonly item_id?: unknown;
  readonly item?: unknown;
  readonly part?: unknown;
  readonly delta?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly arguments?: unknown;
  readonly annotation?: unknown;
  readonly error?: unknown;
};

/** A Response object: inside lifecycle events, or as a JSON answer. */
export type WireResponse = {
  readonly id?: unknown;
  readonly object?: unknown;
  readonly model?: unknown;
  readonly status?: unknown;
  readonly error?: unknown;
  readonly incomplete_details?: unknown;
  readonly output?: unknown;
  readonly usage?: unknown;
};

/** One item of `output`. */
export type WireItem = {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly role?: unknown;
  readonly name?: unknown;
  readonly call_id?: unknown;
  readonly arguments?: unknown;
  readonly content?: unknown;
  readonly summary?: unknown;
  readonly encrypted_content?: unknown;
  readonly result?: unknown;
  readonly execution?: unknown;
};

/** A part of a message's `content` or of a reasoning item's `content` or `summary`. */
export type WirePart = {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly annotations?: unknown;
};

/** A place in a list, as an event tells it; providers that leave it out have one entry. */
export const placeOf = (index: unknown): number => (Number.isInteger(index) ? (index as number) : 0);
