import type { UsageDimension, UsageGroup } from '../core/attempt/count-usage.ts';
import type { Fact, RequestKind, RequestLedger } from '../core/attempt/ledger.ts';
import type { Reconciliation } from '../core/attempt/reconcile.ts';
import type { Outcome } from '../core/failure/outcome.ts';

export type RequestQuery = {
  readonly model?: string;
  readonly target?: string;
  readonly outcome?: Outcome;
  readonly key?: string;
  /** Of these kinds; absent: of all. */
  readonly kinds?: readonly RequestKind[];
  /** Epoch ms. */
  readonly since?: number;
  /** Opaque; from the page before. */
  readonly cursor?: string;
  readonly limit: number;
};

export type Page<T> = { readonly data: readonly T[]; readonly next: string | null };

/** A fact that was refused, and the law that it would have broken. `at` is epoch ms. */
export type RefusedFact = {
  readonly at: number;
  readonly request: string;
  readonly fact: string;
  readonly law: string;
};

/** The conservation check over a stretch of the ledger, with the facts that were refused in it. */
export type LedgerCheck = Reconciliation & {
  /** Epoch ms. */
  readonly since: number;
  readonly violations: { readonly count: number; readonly first: readonly RefusedFact[] };
};

export type UsageQuery = {
  /** Epoch ms. */
  readonly since: number;
  readonly by: readonly UsageDimension[];
  /** Of these kinds; absent: of all. */
  readonly kinds?: readonly RequestKind[];
};

/** Most refused facts that a check names. */
export const MAX_REFUSED = 100;

/** What stands between facts and the place where they are kept for good. */
export type LedgerBacklog = {
  /** Facts that were appended and are not there yet. */
  readonly facts: number;
  /** Bytes of the journal, on disk and in memory. */
  readonly journalBytes: number;
  /** Writes that failed since the start: of the journal, of the database, and deaths of the thread that writes it. */
  readonly failures: { readonly journal: number; readonly database: number; readonly thread: number };
  /** When the database last took something (epoch ms); null: not yet. */
  readonly writtenAt: number | null;
  /** Something of it does not work now. */
  readonly isTroubled: boolean;
};

/** The ledger can't be read or written now. */
export class LedgerUnavailableError extends Error {
  override readonly name = 'LedgerUnavailableError';
}

/** Keeps facts. Writing never throws, never waits and never blocks an answer. */
export interface LedgerStore {
  /**
   * An `attempt_started` is safe from the end of this process when it returns (as far as the store can keep anything).
   */
  append(fact: Fact): void;
  /** Newest first. An unknown cursor gives an empty page. */
  list(query: RequestQuery): Promise<Page<RequestLedger>>;
  get(id: string): Promise<RequestLedger | undefined>;
  /** Second ends and other breaches of the ledger's laws that were refused. */
  violations(): number;
  /**
   * The conservation check over what began since (epoch ms). Others get their turn meanwhile, however much there is.
   * Rejects with a LedgerUnavailableError while the store can't be written or read.
   */
  reconcile(since: number): Promise<LedgerCheck>;
  /**
   * Requests, attempts and tokens of what began since, told apart by dimensions. Others get their turn meanwhile, however
   * much there is. Rejects with a LedgerUnavailableError while the store can't be written or read.
   */
  usage(query: UsageQuery): Promise<readonly UsageGroup[]>;
  /** Null: this store keeps facts at once, and has nowhere to fail. */
  backlog(): LedgerBacklog | null;
  close(): Promise<void>;
}
