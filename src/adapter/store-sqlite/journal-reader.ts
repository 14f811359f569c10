import { closeSync, fdatasyncSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '../../core/attempt/ledger.ts';
import { decodeLine } from './journal-line.ts';

/** Reads whole lines of one journal file, while it may still grow. */
export interface JournalReader {
  readonly name: string;
  /** Who wrote it; null if its first line can't be read. */
  readonly owner: Owner | null;
  /** Lines from `offset` on; the next call goes on behind them once `offset` was moved. */
  read(): { readonly lines: readonly string[]; readonly end: number };
  /** Behind what was recorded. */
  offset: number;
  /** Makes what was read safe from a loss of power, where the system lets a reader do that. */
  sync(): void;
  close(): void;
}

const CHUNK_BYTES = 512 * 1024;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const LINE_END = 0x0a;

/** Throws what the file system throws. */
export function openJournal(folder: string, name: string, offset: number): JournalReader {
  const fd = openSync(join(folder, name), 'r');
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES);

  const readFrom = (from: number) => {
    for (;;) {
      const length = readSync(fd, buffer, 0, buffer.length, from);
      const end = buffer.subarray(0, length).lastIndexOf(LINE_END);
      if (end >= 0) return { lines: buffer.toString('utf8', 0, end).split('\n'), end: from + end + 1 };
      if (length < buffer.length || buffer.length >= MAX_LINE_BYTES) return { lines: [], end: from };
      buffer = Buffer.allocUnsafe(buffer.length * 4);
    }
  };
  const firstLine = readFrom(0).lines[0];
  const header = firstLine === undefined ? null : decodeLine(firstLine);

  return {
    name,
    owner: header?.type === 'journal' ? header.owner : null,
    offset,
    read() {
      return readFrom(this.offset);
    },
    sync() {
      try {
        fdatasyncSync(fd);
      } catch {
        // The system writes it out in its own time.
      }
    },
    close: () => closeSync(fd),
  };
}
