import type { DatabaseSync } from 'node:sqlite';
import { type Applied, applyBatch, type OpenLedgers } from './apply.ts';
import { journalFolder, removeJournal } from './journal-files.ts';
import { type JournalReader, openJournal } from './journal-reader.ts';
import { number } from './rows.ts';
import type { LedgerRows } from './statements.ts';

export type RecorderEvents = {
  readonly onApplied: (applied: Applied, journal: string) => void;
  /** A journal is recorded, safe in the database, and gone. */
  readonly onReleased: (name: string) => void;
};

type Database = { readonly db: DatabaseSync; readonly rows: LedgerRows };

/** Moves journals into rows, piece by piece. Everything throws what SQLite and the file system throw. */
export interface Recorder {
  /** Records one piece of a journal: false when all of it that is there is recorded. */
  record(database: Database, name: string): boolean;
  /** How far the journal that was read last is recorded. */
  offset(): number;
  /** What was read is safe from a loss of power too. */
  sync(): void;
  /** Nothing more will come in this journal. */
  finish(name: string): void;
  /** Removes finished journals whose rows are in the database itself, not in its log alone. */
  release(database: Database): void;
  /** Bytes recorded since the last call. */
  takeRecorded(): number;
  /** Takes nothing that was read before for known. */
  reset(): void;
}

export function createRecorder(stateDir: string, events: RecorderEvents): Recorder {
  const folder = journalFolder(stateDir);
  const open: OpenLedgers = new Map();
  let reader: JournalReader | null = null;
  let finished: string[] = [];
  let recorded = 0;

  const stop = (): void => {
    reader?.close();
    reader = null;
  };
  return {
    record({ db, rows }, name) {
      if (reader?.name !== name) {
        stop();
        reader = openJournal(folder, name, rows.position(name));
      }
      const { lines, end } = reader.read();
      if (end === reader.offset) return false;
      const applied = applyBatch(db, rows, open, { journal: name, owner: reader.owner, lines, end });
      recorded += end - reader.offset;
      reader.offset = end;
      events.onApplied(applied, name);
      return true;
    },
    offset: () => reader?.offset ?? 0,
    sync: () => reader?.sync(),
    finish: (name) => void finished.push(name),
    release({ db, rows }) {
      if (finished.length === 0) return;
      stop();
      const row = db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
      // Somebody reads an old state: later, then.
      if (number(row, 'log') !== number(row, 'checkpointed')) return;
      for (const name of finished) {
        removeJournal(folder, name);
        rows.forgetJournal(name);
        events.onReleased(name);
      }
      finished = [];
    },
    takeRecorded() {
      const bytes = recorded;
      recorded = 0;
      return bytes;
    },
    reset() {
      stop();
      open.clear();
    },
  };
}
