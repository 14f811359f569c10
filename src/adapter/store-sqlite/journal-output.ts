import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Owner } from '../../core/attempt/ledger.ts';
import { type JournalFiles, journalName } from './journal-files.ts';
import { encodeLine } from './journal-line.ts';

/** A place in the journal of one owner: a file by its number, and bytes from its start. */
export type JournalPosition = { readonly seq: number; readonly offset: number };

export type JournalOutputOptions = {
  readonly folder: string;
  readonly owner: Owner;
  readonly files: JournalFiles;
  /** A file that has grown to this is left for a new one. */
  readonly maxFileBytes: number;
  /** A file was begun; those before it are complete. */
  readonly onFile: (name: string, seq: number) => void;
};

/** Puts text into files one after the other; whole lines in each, whatever the disk does in between. */
export interface JournalOutput {
  /** Throws what the file system throws. What was not written then goes first the next time. */
  write(text: string): void;
  /** After an error: the file is not trusted any more, the next one begins with a whole line. */
  leaveFile(): void;
  waitingBytes(): number;
  position(): JournalPosition;
  close(): void;
}

type OpenFile = { readonly fd: number; readonly seq: number; size: number };
type Part = { readonly bytes: Buffer; written: number };

export function createJournalOutput({
  folder,
  owner,
  files,
  maxFileBytes,
  onFile,
}: JournalOutputOptions): JournalOutput {
  let file: OpenFile | null = null;
  let last: JournalPosition = { seq: 0, offset: 0 };
  /** Not wholly in the file. */
  let part: Part | null = null;

  const openFile = (): OpenFile => {
    const seq = last.seq + 1;
    const name = journalName(owner.boot, owner.worker, seq, randomBytes(4).toString('hex'));
    const fd = files.open(join(folder, name));
    last = { seq, offset: 0 };
    file = { fd, seq, size: 0 };
    onFile(name, seq);
    const header = Buffer.from(encodeLine({ type: 'journal', version: 1, owner }));
    part = { bytes: part === null ? header : Buffer.concat([header, part.bytes.subarray(part.written)]), written: 0 };
    return file;
  };
  const closeFile = (): void => {
    if (file === null) return;
    try {
      files.close(file.fd);
    } catch {
      // It is left in any case.
    }
    file = null;
  };
  const writePart = (): void => {
    const open = file ?? openFile();
    const { bytes } = part ?? { bytes: Buffer.alloc(0) };
    for (let written = part?.written ?? 0; written < bytes.length; ) {
      const taken = files.write(open.fd, bytes, written);
      if (taken <= 0) throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
      written += taken;
      open.size += taken;
      last = { seq: open.seq, offset: open.size };
      part = { bytes, written };
    }
    part = null;
    if (open.size >= maxFileBytes) closeFile();
  };

  return {
    write(text) {
      // What was torn goes first: a new part would come between the halves of a line.
      if (part !== null) writePart();
      if (text === '') return;
      part = { bytes: Buffer.from(text), written: 0 };
      writePart();
    },
    leaveFile() {
      // A line that is there twice is recorded once.
      if (part !== null) part.written = lineStart(part);
      closeFile();
    },
    waitingBytes: () => part?.bytes.length ?? 0,
    position: () => last,
    close: closeFile,
  };
}

/** Where the line begins that was being written. */
function lineStart({ bytes, written }: Part): number {
  return written === 0 ? 0 : bytes.lastIndexOf(0x0a, written - 1) + 1;
}
