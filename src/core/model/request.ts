import type { Feature } from './capability.ts';
import type { Protocol } from './protocol.ts';

/** What ties the requests of one conversation together, in the order in which it is believed. */
export type ConversationHints = {
  readonly sessionId: string | null;
  readonly promptCacheKey: string | null;
  readonly previousResponseId: string | null;
  /** A conversation that a provider keeps; null or absent: none. */
  readonly conversationId?: string | null;
  /** What is known of earlier turns in a form that only their issuer can read, by sums, in order; absent: nothing. */
  readonly seals?: readonly string[];
  readonly userId: string | null;
  /** Hash of system text, tools and first user turn; `null` on a first turn. */
  readonly prefixHash: string | null;
};

/**
 * A client's request: what routing needs to know, and the untouched original. Everything else that the client said
 * stays in the bytes, which a relay edits by spans and never re-serialises.
 */
export type CanonicalRequest = {
  readonly protocol: Protocol;
  /** The model name as the client asked for it. */
  readonly model: string;
  readonly stream: boolean;
  /** How many answers were asked for (`n`). */
  readonly choices: number;
  readonly needs: readonly Feature[];
  /** The most tokens that the client wants as output; null or absent: it set no limit. */
  readonly maxOutputTokens?: number | null;
  /** The client itself asked for usage in the stream. */
  readonly usageAsked: boolean;
  /** The last input is a tool result: an answer without words is then an answer. */
  readonly endsWithToolResult: boolean;
  /** What the request runs outside the model, in words ("mcp tool"); empty means that a repeat is harmless. */
  readonly effects: readonly string[];
  /** The client asked for work in the background: an answer that has only begun is then a whole one. */
  readonly background?: boolean;
  /** False: the provider keeps no answer to it that a later request could name. Absent: it may. */
  readonly isStored?: boolean;
  readonly conversation: ConversationHints;
  /** A guess from bytes; only to rule out windows that are plainly too small. */
  readonly estimatedInputTokens: number;
  /** The body as the client sent it, after content decoding. */
  readonly original: Uint8Array;
  /** What a codec keeps for itself (spans of the original). */
  readonly extensions: { readonly [P in Protocol]?: unknown };
};
