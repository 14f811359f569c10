import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS, type Migration } from './migrations/index.ts';

const DATABASE_FILE = 'ledger.db';

/** How long a writer waits for another connection: a reader's checkpoint, an operator's tool. */
const BUSY_MS = 5_000;

export const databaseFile = (stateDir: string): string => join(stateDir, DATABASE_FILE);

/**
 * Opens the ledger for its writer and brings its schema up to date. Throws what SQLite throws, and an error when a
 * newer version made it.
 */
export function openDatabase(file: string, migrations: readonly Migration[] = MIGRATIONS): DatabaseSync {
  // Made here so that nobody else may read it; its companions take its mode.
  closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    // Free pages can be given back only if the very first table knows of it.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL');
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA journal_size_limit = 16777216');
    db.exec('PRAGMA cache_size = -16384');
    db.exec('PRAGMA foreign_keys = ON');
    migrate(db, migrations);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** For command lines beside a running gateway: sees what is committed, changes nothing. */
export function openDatabaseReadOnly(file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: BUSY_MS, readOnly: true });
}

/** Each step whole or not at all. */
export function migrate(db: DatabaseSync, migrations: readonly Migration[]): void {
  db.exec('CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT');
  const current = readVersion(db);
  const latest = migrations.at(-1)?.version ?? 0;
  if (current > latest) {
    throw new Error(`the ledger has schema ${current}, and this version knows ${latest}: a newer version made it`);
  }
  for (const { version, name, sql } of migrations.filter((step) => step.version > current)) {
    inTransaction(db, () => {
      db.exec(sql);
      db.prepare('INSERT INTO schema_versions (version, name) VALUES (?, ?)').run(version, name);
    });
  }
}

function readVersion(db: DatabaseSync): number {
  const row = db.prepare('SELECT max(version) AS version FROM schema_versions').get();
  return Number(row?.['version'] ?? 0);
}

export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite rolled it back itself, as it does on a full disk.
    }
    throw error;
  }
}
