import { existsSync } from 'node:fs';
import { createLineSplitter, createSanitizer } from '../core/event/index.ts';

/** Longer lines are counted and not kept. No event is a quarter as long, and no frame of a traceback. */
const MAX_LINE = 8 * 1024;

/**
 * Reads a log to its end and writes what may leave of it, as soon as it can be told; see docs/events.md. Never rejects
 * for what the log holds.
 */
export async function sanitizeLog(log: AsyncIterable<Uint8Array>, write: (line: string) => void): Promise<void> {
  const splitter = createLineSplitter(MAX_LINE);
  const sanitizer = createSanitizer(createFileCheck());
  const take = (lines: readonly (string | null)[]): void => {
    for (const line of lines) for (const passed of sanitizer.push(line)) write(passed);
  };
  for await (const bytes of log) take(splitter.push(bytes));
  take(splitter.end());
  for (const passed of sanitizer.end()) write(passed);
}

/** A log may name any number of files; so many different ones are looked for. */
const MAX_LOOKED_FOR = 1_000;

/** Whether a file of this name belongs to this installation: a name that does not exist can't be printed. */
function createFileCheck(): (path: string) => boolean {
  const top = findTop();
  const known = new Map<string, boolean>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined || known.size >= MAX_LOOKED_FOR) return found ?? false;
    const isThere = existsSync(new URL(path, top));
    known.set(path, isThere);
    return isThere;
  };
}

/** From here upward: in a build this file lies elsewhere. */
function findTop(): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder))
    if (existsSync(new URL('package.json', folder)) || folder.pathname === '/') return folder;
}
