import type { DatabaseSync } from 'node:sqlite';
import { closeRequest } from '../../core/attempt/close-request.ts';
import { databaseFile, inTransaction, openDatabase } from './database.ts';
import type { JournalPosition } from './journal.ts';
import type { WriterSettings } from './messages.ts';
import { type LedgerQueries, prepareQueries } from './queries.ts';
import { createRecorder, type Recorder, type RecorderEvents } from './recorder.ts';
import { createRetention, type Retention, type RetentionLimits } from './retention.ts';
import { type LedgerRows, prepareRows } from './statements.ts';

export type WriterEvents = RecorderEvents & { readonly onOpened: (abandoned: number) => void };

/**
 * The one hand that writes the database. It reads journals, those of dead owners first, and records them; works in
 * small steps, so that others get their turn; and can stop at any of them for good.
 */
export interface LedgerWriter {
  /** The owner's own journal goes on in this file. */
  follow(name: string, seq: number): void;
  /**
   * One piece of work: false when there is none. Throws what SQLite and the file system throw; nothing is lost then.
   */
  step(): boolean;
  /** The next steps drop what is older or more than is kept. */
  retain(now: number): void;
  /** Begins anew from the disk after an error. */
  reopen(): void;
  /** Everything of our own journal up to here is recorded. */
  hasReached(position: JournalPosition): boolean;
  queries(): LedgerQueries;
  /** Lets go of the database; `all`: everything is recorded, so our own journals may go too. */
  close(all: boolean): void;
}

const ABANDONED_REASON = 'the gateway died';
const STEP_ABANDONED = 100;

/**
 * Recorded so much since the last look at the size of the ledger, another look is due; of a small one, a part of it.
 */
const LOOK_EVERY = { bytes: 16 * 1024 * 1024, share: 1 / 8 } as const;

type Opened = {
  readonly db: DatabaseSync;
  readonly rows: LedgerRows;
  readonly queries: LedgerQueries;
  readonly housekeeper: Housekeeper;
};

export function createLedgerWriter(settings: WriterSettings, events: WriterEvents): LedgerWriter {
  const { stateDir, owner, limits } = settings;
  const recorder = createRecorder(stateDir, events);
  const left = [...settings.left];
  const own = createOwnJournal(recorder);
  let opened: Opened | null = null;
  let isOpen = false;
  let abandoned = 0;
  let retainAt: number | null = null;

  const openUp = (): Opened => {
    const db = openDatabase(databaseFile(stateDir));
    const housekeeper = createHousekeeper(createRetention(db, limits), limits);
    opened = { db, rows: prepareRows(db), queries: prepareQueries(db), housekeeper };
    return opened;
  };
  const reopen = (): void => {
    recorder.reset();
    const db = opened?.db;
    opened = null;
    db?.close();
  };
  /** What others left: their journals, then what they never ended. */
  const begin = (state: Opened): boolean => {
    const name = left[0];
    if (name !== undefined) {
      if (!recorder.record(state, name)) {
        recorder.finish(name);
        left.shift();
      }
      return true;
    }
    const closed = abandonSome(state, owner.boot);
    abandoned += closed;
    if (closed > 0) return true;
    recorder.release(state);
    isOpen = true;
    events.onOpened(abandoned);
    return true;
  };
  const tidy = (state: Opened): boolean => {
    const isMore = state.housekeeper.step(recorder.takeRecorded(), retainAt);
    if (retainAt !== null && !isMore) recorder.release(state);
    retainAt = null;
    return isMore;
  };

  return {
    follow: (name, seq) => own.follow(name, seq),
    step() {
      const state = opened ?? openUp();
      if (!isOpen) return begin(state);
      // However much comes in, what is too much goes out.
      const isMore = own.step(state);
      return tidy(state) || isMore;
    },
    retain(now) {
      retainAt = now;
    },
    reopen,
    hasReached: (position) => own.hasReached(position),
    queries: () => (opened ?? openUp()).queries,
    close(isAll) {
      if (isAll && opened !== null) {
        own.finish();
        recorder.release(opened);
      }
      reopen();
    },
  };
}

/** The files of our own journal, in their order. */
interface OwnJournal extends Pick<LedgerWriter, 'follow' | 'hasReached'> {
  /** Records a piece: false when there is no more. */
  step(state: Opened): boolean;
  finish(): void;
}

function createOwnJournal(recorder: Recorder): OwnJournal {
  const files: { readonly name: string; readonly seq: number }[] = [];
  let reached: JournalPosition = { seq: 0, offset: 0 };
  return {
    follow: (name, seq) => void files.push({ name, seq }),
    step(state) {
      const [file, next] = files;
      if (file === undefined) return false;
      const isMore = recorder.record(state, file.name);
      reached = { seq: file.seq, offset: recorder.offset() };
      if (isMore) return true;
      if (next === undefined) {
        recorder.sync();
        return false;
      }
      recorder.finish(file.name);
      files.shift();
      recorder.release(state);
      return true;
    },
    hasReached: ({ seq, offset }) =>
      seq === 0 || reached.seq > seq || (reached.seq === seq && reached.offset >= offset),
    finish() {
      for (const { name } of files.splice(0)) recorder.finish(name);
    },
  };
}

/** Closes requests that owners of other boots left open; gives how many. */
function abandonSome({ db, rows }: Opened, boot: string): number {
  const ids = rows.orphans(boot, STEP_ABANDONED);
  if (ids.length === 0) return 0;
  inTransaction(db, () => {
    for (const id of ids) {
      const ledger = rows.load(id, { plans: false });
      if (ledger === undefined) continue;
      rows.save(ledger, closeRequest(ledger, rows.lastSeenAt(ledger.started.owner) ?? 0, ABANDONED_REASON));
    }
  });
  return ids.length;
}

/** Knows when retention is due: when it is told to, and when much was recorded since. */
interface Housekeeper {
  /** Does a part of what is due, after so many more bytes: true when there is more to do. */
  step(recordedBytes: number, retainAt: number | null): boolean;
}

function createHousekeeper(retention: Retention, { maxBytes }: RetentionLimits): Housekeeper {
  const everyBytes = Math.min(LOOK_EVERY.bytes, maxBytes * LOOK_EVERY.share);
  let bytes = 0;
  let now = 0;
  let isDue = false;
  return {
    step(recordedBytes, retainAt) {
      bytes += recordedBytes;
      now = retainAt ?? now;
      isDue ||= retainAt !== null || bytes > everyBytes;
      if (!isDue) return false;
      bytes = 0;
      isDue = retention.step(now);
      return isDue;
    },
  };
}
