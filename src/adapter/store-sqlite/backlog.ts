import type { LedgerBacklog } from '../../port/ledger-store.ts';

/** Counts what is on its way to the database, and what went wrong there. */
export interface Backlog {
  /** A fact was appended. */
  add(): void;
  /** The database took so many; `isAll`: nothing is left behind them. */
  record(facts: number, isAll: boolean, at: number): void;
  /** The database is open. */
  open(at: number): void;
  /** So many were given up: they will not come. */
  lose(facts: number): void;
  fail(part: keyof LedgerBacklog['failures']): void;
  read(): Pick<LedgerBacklog, 'facts' | 'failures' | 'writtenAt'>;
}

export function createBacklog(): Backlog {
  const failures = { journal: 0, database: 0, thread: 0 };
  let facts = 0;
  let writtenAt: number | null = null;
  return {
    add() {
      facts += 1;
    },
    record(count, isAll, at) {
      // A line may be there twice after trouble, and a thread may die before it has told what it recorded: where all is
      // recorded nothing waits, whatever the count says.
      facts = isAll ? 0 : Math.max(0, facts - count);
      writtenAt = at;
    },
    open(at) {
      writtenAt ??= at;
    },
    lose(count) {
      facts = Math.max(0, facts - count);
    },
    fail(part) {
      failures[part] += 1;
    },
    read: () => ({ facts, failures: { ...failures }, writtenAt }),
  };
}
