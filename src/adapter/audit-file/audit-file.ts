import { appendFileSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditLog, AuditRecord } from '../../port/audit-log.ts';

export type AuditFileOptions = {
  /** Absent: what is kept is kept in memory, and gone with the process. */
  readonly stateDir?: string;
  /** Takes secrets out of a name that somebody made up; absent: there are none. */
  readonly clean?: (name: string) => string;
  /** Told once when it can't be written, and again only behind a success. */
  readonly onTrouble?: (code: string) => void;
  readonly maxFileBytes?: number;
};

const FILE = 'audit.jsonl';
/** Of one file; the one before is kept beside it. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** What is kept without a file, or while it can't be written. */
const MAX_IN_MEMORY = 1_000;

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : 'unknown';
}

/**
 * Who did what, one line each, in `audit.jsonl` of the state directory: only ever appended to, and set aside as
 * `audit.1.jsonl` when it is full. Changes are rare, so each line is written at once.
 */
export function createAuditFile(options: AuditFileOptions): AuditLog {
  const { stateDir, onTrouble, maxFileBytes = MAX_FILE_BYTES, clean = (name) => name } = options;
  const files = stateDir === undefined ? null : [join(stateDir, FILE), join(stateDir, 'audit.1.jsonl')];
  /** The oldest first: what no file has. */
  let unwritten: AuditRecord[] = [];
  let isTroubled = false;

  const write = ([file = '', before = '']: readonly string[]): void => {
    const lines = unwritten.map((record) => `${JSON.stringify(record)}\n`).join('');
    if (sizeOf(file) + lines.length > maxFileBytes) rename(file, before);
    appendFileSync(file, lines, { mode: 0o600 });
    unwritten = [];
    isTroubled = false;
  };

  return {
    add(record) {
      const subject = record.subject === null ? null : clean(record.subject);
      unwritten = [...unwritten.slice(1 - MAX_IN_MEMORY), { ...record, subject }];
      if (files === null) return;
      try {
        write(files);
      } catch (error) {
        if (!isTroubled) onTrouble?.(codeOf(error));
        isTroubled = true;
      }
    },
    async list({ limit, cursor }) {
      const kept = files === null ? [] : (await Promise.all(files.toReversed().map(readRecords))).flat();
      const all = [...kept, ...unwritten].reverse();
      const from = cursor === undefined ? 0 : all.findIndex((record) => cursorOf(record) === cursor) + 1;
      // A cursor that nobody knows, or whose record is gone.
      if (cursor !== undefined && from === 0) return { data: [], next: null };
      const data = all.slice(from, from + limit);
      const last = data.at(-1);
      return { data, next: last !== undefined && all.length > from + limit ? cursorOf(last) : null };
    },
  };
}

const cursorOf = ({ at, request, action }: AuditRecord): string => `${at}.${request}.${action}`;

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

function rename(file: string, before: string): void {
  try {
    renameSync(file, before);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** A line that is none, as behind a full disk, is left out. */
async function readRecords(file: string): Promise<readonly AuditRecord[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null && 'action' in value ? [value as AuditRecord] : [];
    } catch {
      return [];
    }
  });
}
