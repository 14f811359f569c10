import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { TOP } from './source.ts';

const LEFT_OUT = new Set(['node_modules', '.git', 'coverage', 'dist']);
const TEXT = /(\.(ts|tsx|mjs|cjs|js|d\.ts|json|md|yaml|yml|sh|txt)|^[^.]+|^\.[^.]+)$/;

/** All text files of the repository, paths relative to its top, with `/`. */
export function listRepoFiles(folder: string = TOP): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      if (LEFT_OUT.has(entry.name)) return [];
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listRepoFiles(path);
      return entry.isFile() && TEXT.test(entry.name) ? [relative(TOP, path).split(sep).join('/')] : [];
    })
    .sort();
}
