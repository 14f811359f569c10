import type { UsageGroup } from '../../core/attempt/count-usage.ts';
import type { Owner, RequestLedger } from '../../core/attempt/ledger.ts';
import type { Reconciliation } from '../../core/attempt/reconcile.ts';
import type { UsageQuery } from '../../port/ledger-store.ts';
import type { Place } from './cursor.ts';
import type { JournalPosition } from './journal.ts';
import type { LedgerQuery } from './queries.ts';
import type { RetentionLimits } from './retention.ts';
import type { ErrorWords } from './sqlite-error.ts';
import type { Violation } from './statements.ts';

/** What the writer's thread is started with. */
export type WriterSettings = {
  readonly stateDir: string;
  readonly owner: Owner;
  readonly limits: RetentionLimits;
  /** Journals that others left behind. */
  readonly left: readonly string[];
};

/** Questions to the writer's thread, and what each is answered with. */
export type Questions = {
  /** Records everything up to this place. */
  readonly sync: { readonly ask: JournalPosition; readonly answer: null };
  /** The same, and leaves nothing behind. */
  readonly close: { readonly ask: JournalPosition; readonly answer: null };
  readonly list: { readonly ask: LedgerQuery; readonly answer: readonly RequestLedger[] };
  readonly get: { readonly ask: string; readonly answer: RequestLedger | undefined };
  readonly reconcile: {
    readonly ask: { readonly since: number; readonly after: Place | null };
    readonly answer: { readonly part: Reconciliation; readonly next: Place | null };
  };
  readonly usage: {
    readonly ask: UsageQuery & { readonly after: Place | null };
    readonly answer: { readonly part: readonly UsageGroup[]; readonly next: Place | null };
  };
  readonly violations: {
    readonly ask: { readonly since: number };
    readonly answer: { readonly count: number; readonly first: readonly Violation[] };
  };
};

export type Question = keyof Questions;

/** Asks the writer's thread. Rejects when it can't answer. */
export type Ask = <Q extends Question>(question: Q, about: Questions[Q]['ask']) => Promise<Questions[Q]['answer']>;

export type ToWriter =
  /** Our own journal goes on in this file; those before it are complete. */
  | { readonly type: 'file'; readonly name: string; readonly seq: number }
  /** There is more to read. */
  | { readonly type: 'wake' }
  /** Try again after trouble. */
  | { readonly type: 'retry' }
  | { readonly type: 'retain'; readonly now: number }
  | { readonly type: 'ask'; readonly id: number; readonly question: Question; readonly about: unknown };

/** Facts that the database took, and up to where in our own journal it has them now. */
export type Recorded = { readonly facts: number; readonly reached: JournalPosition };

export type FromWriter =
  /** The database is open, journals of others are recorded, what they left open is closed. */
  | { readonly type: 'opened'; readonly abandoned: number }
  | {
      readonly type: 'applied';
      readonly ended: readonly string[];
      /** Of our own journal; null: it was another's. */
      readonly recorded: Recorded | null;
    }
  /** A file of our own is recorded and gone. */
  | { readonly type: 'released'; readonly name: string }
  | { readonly type: 'violation'; readonly violation: Violation }
  | { readonly type: 'damaged'; readonly journal: string; readonly lines: number }
  | { readonly type: 'trouble'; readonly words: ErrorWords }
  | { readonly type: 'recovered' }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly words: ErrorWords };
