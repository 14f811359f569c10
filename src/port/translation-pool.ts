import type { Capabilities } from '../core/model/capability.ts';
import type { Headers, Protocol } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { FaultFacts } from '../core/redact/index.ts';

/** What a target wants of a request that is written for it. */
export type ForeignEgress = {
  /** Upstream model id. */
  readonly model: string;
  /** Ask for usage in a stream, where that has to be asked for. */
  readonly askUsage: boolean;
  readonly capabilities: Capabilities;
  readonly defaults: { readonly reasoningEffort?: string; readonly maxOutputTokens?: number };
  /** Headers that go along. */
  readonly headers?: Headers;
};

/** A tool by its name in the other protocol (a key of whoever wrote it), and as the client calls it. */
export type ForeignTool = readonly [
  string,
  { readonly name: string; readonly namespace: string | null; readonly kind: 'function' | 'custom' },
];

/** A request as it was written in another protocol. */
export type ForeignRequest = {
  /** Behind the base URL. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: readonly Uint8Array[];
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly isOnce?: boolean;
  readonly sentBetas?: readonly string[];
  readonly leftOut?: readonly string[];
  /** What got lost, as the client spells it. */
  readonly dropped: readonly string[];
  /** All that is needed of the request to give its answer in the client's protocol. */
  readonly tools: readonly ForeignTool[];
};

/**
 * `busy`: too many wait. `died`: whatever does the work ended on this request. `failed`: it threw. `closed`: nobody wants
 * it any more, or the pool is gone.
 */
export type TranslationTrouble = 'busy' | 'died' | 'failed' | 'closed';

/** `fault`: what is known of it, for the operator. */
export type Translated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly trouble: TranslationTrouble; readonly fault: FaultFacts | null };

/** By protocol, what it has no words for. */
export type ForeignLacks = { readonly [P in Protocol]?: readonly string[] };

/** One request, for as long as it may have to be written. No promise is ever rejected. */
export interface PooledRequest {
  findLacks(to: readonly Protocol[]): Promise<Translated<ForeignLacks>>;
  /** The body is the caller's own. */
  write(to: Protocol, egress: ForeignEgress): Promise<Translated<ForeignRequest>>;
  /** How many tokens it has, about; null: it has a form that nobody here can read. */
  estimate(): Promise<Translated<number | null>>;
  /** Bytes that it takes beside the request itself, about. */
  readonly heldBytes: number;
  /** Nobody asks for it any more: what is open ends at once, as `closed`. */
  close(): void;
}

/** Reads large requests, and writes them in other protocols, where that keeps nobody else waiting. */
export interface TranslationPool {
  /** `request` must not change before it is closed. */
  open(request: CanonicalRequest): PooledRequest;
  /** Ends all that is open, as `closed`. */
  close(): Promise<void>;
}
