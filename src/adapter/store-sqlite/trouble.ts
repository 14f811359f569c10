import type { ErrorWords } from './sqlite-error.ts';

/**
 * `journal`: facts can't be made safe. `database`: they wait in the journal. `worker`: the thread that writes the
 * database died. `lock`: another gateway could use the directory. `damage`: something was there that can't be read.
 * `closed`: a fact came too late.
 */
export type TroubleKind = 'journal' | 'database' | 'worker' | 'lock' | 'damage' | 'closed';

/** For the operator. `damage` and `closed` are told as they come and do not recover. */
export type StoreTrouble = {
  readonly kind: TroubleKind;
  readonly state: 'trouble' | 'recovered';
  readonly message: string;
  /** The system's word for it, such as `ENOSPC`. */
  readonly code: string | null;
  /** Facts that could not be kept meanwhile; told on recovery. */
  readonly lost: number;
};

/** Tells each trouble once, and its end once. */
export interface TroubleDesk {
  raise(kind: TroubleKind, words: ErrorWords): void;
  clear(kind: TroubleKind, lost?: number): void;
  tell(kind: TroubleKind, message: string): void;
  /** Something does not work now. */
  isRaised(): boolean;
}

const TROUBLES: Readonly<Record<TroubleKind, string>> = {
  journal: 'the journal of the ledger takes nothing: records of requests are in memory alone',
  database: 'the ledger can not be written: records wait in the journal',
  worker: 'the thread that writes the ledger died: records wait in the journal until it runs again',
  lock: 'lock.db of the state directory is gone, and maybe the whole directory: what is recorded now can be lost, and nothing keeps a second gateway out. Restart this one',
  damage: 'the ledger is damaged',
  closed: 'the ledger is closed',
};

const RECOVERIES: Readonly<Record<TroubleKind, string>> = {
  journal: 'the journal of the ledger takes records again',
  database: 'the ledger is written again',
  worker: 'the thread that writes the ledger runs again',
  lock: 'lock.db of the state directory is there again',
  damage: '',
  closed: '',
};

export function createTroubleDesk(onTrouble: ((trouble: StoreTrouble) => void) | undefined): TroubleDesk {
  const raised = new Set<TroubleKind>();
  const say = (trouble: StoreTrouble): void => {
    try {
      onTrouble?.(trouble);
    } catch {
      // Who listens badly must not stop the ledger.
    }
  };
  return {
    raise(kind, { code, message }) {
      if (raised.has(kind)) return;
      raised.add(kind);
      say({ kind, state: 'trouble', message: `${TROUBLES[kind]} (${message})`, code, lost: 0 });
    },
    clear(kind, lost = 0) {
      if (!raised.delete(kind)) return;
      const message = lost === 0 ? RECOVERIES[kind] : `${RECOVERIES[kind]}; ${lost} facts found no room meanwhile`;
      say({ kind, state: 'recovered', message, code: null, lost });
    },
    tell: (kind, message) => say({ kind, state: 'trouble', message, code: null, lost: 0 }),
    isRaised: () => raised.size > 0,
  };
}
