import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing, each with one call; that it is there already is fine. Throws what
 * the system says, `ENOTDIR` where something else has its name. (Node's own `recursive` asks for ever where a file system
 * takes no folders but has no word for it, as `/proc`.)
 */
export function makeFolder(path: string, mode?: number): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder)) {
    missing.unshift(folder);
  }
  for (const folder of missing) makeOne(folder, mode);
  if (!statSync(path).isDirectory()) throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}

function makeOne(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, mode === undefined ? {} : { mode });
  } catch (error) {
    // Somebody else was faster.
    if (whyNot(error) !== 'EEXIST') throw error;
  }
}

/** The system's code for a failure. */
export const whyNot = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'that file system takes no folders',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a file stands in the way',
  EROFS: 'that file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Why a folder could not be made, in words. */
export const wordsOfRefusal = (error: unknown): string => REASONS[whyNot(error)] ?? whyNot(error);
