import type { Headers, Protocol } from '../model/protocol.ts';

/**
 * The innermost error object of a provider's answer, whatever envelopes it came in. Texts are the provider's own and
 * must not leave the gateway uncleaned (`core/redact`).
 */
export type ProviderError = {
  readonly status: number | null;
  readonly code: string | null;
  readonly type: string | null;
  readonly param: string | null;
  readonly message: string;
  /** Delays and moments that the error object itself names (`retryDelay`, `resets_at` …), as written. */
  readonly delay?: { readonly seconds?: number; readonly text?: string; readonly at?: number };
};

/** A fault of our own, without a word of what was at hand: its kind, and the frames of its stack. */
export type OwnFault = { readonly words: string; readonly at: string };

export type TransportError =
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'reset'
  | 'closed'
  | 'bad_http'
  | 'bad_encoding'
  | 'local';

/** Clocks of an attempt; those of the request (`commit`, `total`) blame nobody and are no failure signal. */
export type AttemptClock = 'connect' | 'headers' | 'firstOutput' | 'idle' | 'progress' | 'whole';

/** How the answer broke, for faults that are neither a status nor an error object. */
export type StreamFault = 'incomplete' | 'empty' | 'malformed' | 'wrong_content' | 'no_output' | 'no_answer';

/**
 * Everything that the classifier may look at, gathered at the one place where an attempt ended. Exactly one cause is
 * set; `status`, `headers` and `error` describe the answer as far as it came.
 */
export type FailureSignal = {
  readonly cause:
    | { readonly kind: 'status' }
    | { readonly kind: 'error_event' }
    | { readonly kind: 'error_body' }
    | { readonly kind: 'fault'; readonly fault: StreamFault }
    | { readonly kind: 'finish'; readonly reason: string }
    | ({ readonly kind: 'own_fault' } & OwnFault)
    | { readonly kind: 'transport'; readonly error: TransportError; readonly detail: string }
    | { readonly kind: 'clock'; readonly clock: AttemptClock; readonly limitMs: number };
  readonly provider: string;
  readonly protocol: Protocol;
  /** The body was written by us, not by the client. */
  readonly translated: boolean;
  /** Flags of `anthropic-beta` that the request had, as they were sent; absent: none. No others can be refused. */
  readonly sentBetas?: readonly string[];
  /**
   * Features that the request used, `streamUsage` among them; absent: nobody knows. No others are believed to be
   * refused.
   */
  readonly used?: readonly string[];
  readonly status: number | null;
  readonly headers: Headers;
  readonly error: ProviderError | null;
  readonly body: 'json' | 'html' | 'text' | 'empty' | 'none';
  /** Anything of the response has arrived (a byte, an event). */
  readonly anyByte: boolean;
  readonly anyEvent: boolean;
  /** An item or block had been opened: an error event is then no refusal any more. */
  readonly anyItem: boolean;
  readonly committed: boolean;
  /** Epoch ms at which the answer's head, or else the end, was seen; told delays count from it. */
  readonly at: number;
};
