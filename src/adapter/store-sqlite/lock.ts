import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isLocked, wordsOf } from './sqlite-error.ts';
import { StateDirError } from './state-dir-error.ts';

const LOCK_FILE = 'lock.db';
const HOLDER_FILE = 'lock.json';

export type StateDirLock = {
  release(): void;
  /** Says where the holder can be reached, to whoever is refused. */
  announce(url: string): void;
  /** The file that is locked still has its name: else nothing keeps another gateway out. */
  isInPlace(): boolean;
};

/**
 * Makes this process the only writer of a state directory. The lock is the operating system's own on an open file: it
 * ends with the process, however that ends, needs no cleaning up, and knows no process ids that another could inherit.
 * Throws StateDirError.
 */
export function lockStateDir(stateDir: string): StateDirLock {
  const file = join(stateDir, LOCK_FILE);
  let db: DatabaseSync | null = null;
  try {
    makeIfMissing(stateDir);
    closeSync(openSync(file, 'a', 0o600));
    db = new DatabaseSync(file, { timeout: 0 });
    // Only an empty file would have to be written to be locked, which a full disk refuses.
    if (isEmpty(db)) db.exec('PRAGMA user_version = 1');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    throw isLocked(error) ? locked(stateDir) : unusable(stateDir, error);
  }
  const held = db;
  const own = identityOf(file);
  writeHolder(stateDir, { pid: process.pid });
  let isHeld = true;
  return {
    release() {
      if (isHeld) held.close();
      isHeld = false;
    },
    announce(url) {
      if (isHeld) writeHolder(stateDir, { pid: process.pid, url });
    },
    isInPlace: () => identityOf(file) === own,
  };
}

/** Whoever names a directory has made those above it. */
function makeIfMissing(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Which file a name stands for now; null: none that can be seen. */
function identityOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

const isEmpty = (db: DatabaseSync): boolean => db.prepare('PRAGMA user_version').get()?.['user_version'] === 0;

function locked(stateDir: string): StateDirError {
  const { pid, url } = readHolder(stateDir);
  const facts = [...(pid === undefined ? [] : [`process ${pid}`]), ...(url === undefined ? [] : [`at ${url}`])];
  const who = facts.length === 0 ? 'Another gateway' : `Another gateway (${facts.join(', ')})`;
  return new StateDirError(
    'locked',
    `${who} runs on the state directory ${stateDir}: stop it, or name another directory with --state-dir.`,
  );
}

function unusable(stateDir: string, error: unknown): StateDirError {
  const { code } = wordsOf(error);
  const ways =
    'make it writable or make room, name another with --state-dir, or keep the ledger in memory (store: { kind: memory })';
  return new StateDirError('unusable', `The state directory ${stateDir} can't be written (${code}): ${ways}.`, error);
}

type Holder = { readonly pid?: number; readonly url?: string };

/** For the words of a refusal alone: nothing is decided by it. */
function writeHolder(stateDir: string, holder: Holder): void {
  try {
    writeFileSync(join(stateDir, HOLDER_FILE), `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch {
    // The lock holds without it.
  }
}

function readHolder(stateDir: string): Holder {
  try {
    const { pid, url } = JSON.parse(readFileSync(join(stateDir, HOLDER_FILE), 'utf8'));
    return { ...(Number.isInteger(pid) ? { pid } : {}), ...(URL.canParse(url) ? { url } : {}) };
  } catch {
    return {};
  }
}
