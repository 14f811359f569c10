import { appendFileSync, closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../config/error-code.ts';
import { makeFolder } from '../make-folder.ts';

/** Files that are written whole, and files that grow a line at a time. */
export const WHOLE_FILES = ['verdict.json', 'readiness.json', 'summary.md'] as const;
export const GROWING_FILES = ['requests.jsonl', 'attempts.jsonl', 'events.jsonl'] as const;

export type WholeFile = (typeof WHOLE_FILES)[number];
export type GrowingFile = (typeof GROWING_FILES)[number];

/** Where a run leaves what happened. Nothing here ever throws once it is open: evidence must not end a run. */
export interface Evidence {
  /** Values as JSON, texts as they are. A reader sees the file before or the file after, never a part. */
  put(file: WholeFile, content: object | string): void;
  append(file: GrowingFile, value: object): void;
  /** Gives what grew its name. */
  finish(): void;
  /** Why something could not be written; null: all was. */
  trouble(): string | null;
}

export type EvidenceOptions = {
  /** Takes known secrets out of every text. */
  readonly scrub: (text: string) => string;
};

/** Behind the name of a file that still grows; it stays where the process was killed. */
const PART = '.part';

/**
 * Opens a folder, made where there is none, and takes out what an earlier run left in it. Throws what the system says
 * where it can't be made or written.
 */
export function openEvidence(folder: string, { scrub }: EvidenceOptions): Evidence {
  makeFolder(folder);
  for (const file of [...WHOLE_FILES, ...GROWING_FILES]) rmSync(join(folder, file), { force: true });
  for (const file of GROWING_FILES) closeSync(openSync(join(folder, file + PART), 'w'));
  let trouble: string | null = null;
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      trouble ??= codeOf(error);
    }
  };
  const clean = (_: string, value: unknown): unknown => (typeof value === 'string' ? scrub(value) : value);
  return {
    put: (file, content) =>
      attempt(() => {
        const path = join(folder, file);
        const text = typeof content === 'string' ? scrub(content) : JSON.stringify(content, clean, 2);
        writeFileSync(path + PART, text.endsWith('\n') ? text : `${text}\n`);
        renameSync(path + PART, path);
      }),
    append: (file, value) =>
      attempt(() => appendFileSync(join(folder, file + PART), `${JSON.stringify(value, clean)}\n`)),
    finish: () => {
      for (const file of GROWING_FILES) attempt(() => renameSync(join(folder, file + PART), join(folder, file)));
    },
    trouble: () => trouble,
  };
}

/** For a run that nobody wants to keep anything of. */
export const NO_EVIDENCE: Evidence = { put: () => {}, append: () => {}, finish: () => {}, trouble: () => null };
