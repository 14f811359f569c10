import type { Fact, RequestLedger } from '../core/attempt/ledger.ts';
import type { Outcome } from '../core/failure/outcome.ts';

export type RequestQuery = {
  readonly model?: string;
  readonly target?: string;
  readonly outcome?: Outcome;
  readonly key?: string;
  /** Epoch ms. */
  readonly since?: number;
  /** Opaque; from the page before. */
  readonly cursor?: string;
  readonly limit: number;
};

export type Page<T> = { readonly data: readonly T[]; readonly next: string | null };

/** Keeps facts. Writing never throws, never waits and never blocks an answer. */
export interface LedgerStore {
  /** An `attempt_started` is safe from the end of this process when it returns (as far as the store can keep anything). */
  append(fact: Fact): void;
  /** Newest first. An unknown cursor gives an empty page. */
  list(query: RequestQuery): Promise<Page<RequestLedger>>;
  get(id: string): Promise<RequestLedger | undefined>;
  /** Second ends and other breaches of the ledger's laws that were refused. */
  violations(): number;
  close(): Promise<void>;
}
