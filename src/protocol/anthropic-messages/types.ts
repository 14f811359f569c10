/**
 * What is read of Messages on the wire. Nothing is believed: every member is `unknown` until it was looked at, since
 * much of what speaks this format is not its author.
 */
export type WireEvent = {
  readonly type?: unknown;
  readonly index?: unknown;
  readonly message?: unknown;
  readonly content_block?: unknown;
  readonly delta?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
};

/** A whole answer, or the beginning of one in `message_start`. */
export type WireMessage = {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly model?: unknown;
  readonly content?: unknown;
  readonly stop_reason?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
};

/** A content block, or a delta of one. */
export type WireBlock = {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
  readonly text?: unknown;
  readonly thinking?: unknown;
  readonly citations?: unknown;
  readonly content?: unknown;
  readonly partial_json?: unknown;
} & Readonly<Record<string, unknown>>;

/** Every event that the protocol names. An unknown one is passed on: the format may grow. */
export const EVENT_TYPES: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
  'error',
]);

export { hasSubstance, isObject, nonEmpty } from '../shared/value.ts';
