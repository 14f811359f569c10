import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../config/error-code.ts';

/**
 * Makes a folder and those above it that are missing, each with one call; that it is there already is fine. Throws what
 * the system says, `ENOTDIR` where something else has its name, `dead_link` where a link has it that leads nowhere. (Node's own `recursive` asks for ever where a file system
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
    if (codeOf(error) !== 'EEXIST') throw error;
    if (isDeadLink(folder)) throw Object.assign(new Error(`${folder} leads nowhere`), { code: 'dead_link' });
    // Else somebody else was faster.
  }
}

const isDeadLink = (path: string): boolean => lstatSync(path).isSymbolicLink() && !existsSync(path);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'that file system takes no folders',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a file stands in the way',
  dead_link: 'a link stands in the way that leads nowhere',
  EROFS: 'that file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Why a folder could not be made, in words. */
export const wordsOfRefusal = (error: unknown): string => REASONS[codeOf(error)] ?? codeOf(error);
