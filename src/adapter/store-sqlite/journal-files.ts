import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The file system as the journal's writer uses it; each may throw. */
export interface JournalFiles {
  /** Makes a file and its folder, for appending. */
  open(path: string): number;
  /** Writes what stands from `offset` on; gives how many bytes were taken. */
  write(fd: number, bytes: Uint8Array, offset: number): number;
  close(fd: number): void;
}

export const NODE_FILES: JournalFiles = {
  open(path) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'ax', 0o600);
  },
  write: (fd, bytes, offset) => writeSync(fd, bytes, offset),
  close: closeSync,
};

const SUFFIX = '.jsonl';

export const journalFolder = (stateDir: string): string => join(stateDir, 'journal');

/** `mark` makes the name unlike any before it: positions are remembered by name. Names of one owner sort by `seq`. */
export function journalName(boot: string, worker: number, seq: number, mark: string): string {
  const owner = `${boot.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)}.${worker}`;
  return `${String(seq).padStart(8, '0')}.${owner}.${mark}${SUFFIX}`;
}

/** Oldest first. No folder: no journals. */
export function listJournals(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(SUFFIX))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Bytes that journals take on the disk; 0 while that can't be told. */
export function measureJournals(folder: string): number {
  try {
    return listJournals(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
  } catch {
    return 0;
  }
}

/** A file may go at any moment: it is recorded then. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export const removeJournal = (folder: string, name: string): void => rmSync(join(folder, name), { force: true });
