import { createJournalOutput, type JournalOutputOptions, type JournalPosition } from './journal-output.ts';
import { createPendingLines, type LinePlace } from './pending-lines.ts';

export type { JournalPosition } from './journal-output.ts';

export type JournalOptions = JournalOutputOptions & {
  /** What is kept in memory while the disk takes nothing; the oldest requests make room. */
  readonly maxPendingBytes: number;
  readonly onFailure: (error: unknown) => void;
  /** The disk takes lines again. `lost`: facts that found no room meanwhile. */
  readonly onRecovery: (lost: number) => void;
};

/**
 * The journal of one process: lines on their way to the database, in files that outlive the process. Nothing here
 * throws. Lines of one request stay in their order; those of different requests may overtake each other after trouble.
 */
export interface Journal {
  /** Takes a whole line of a request. */
  add(request: string, line: string, place: LinePlace): void;
  /** Writes what waits, a part at a time: false if the disk refused. While it refuses only `force` tries again. */
  flush(force?: boolean): boolean;
  /** Writes at least the lines of this request before it returns. */
  flushRequest(request: string): boolean;
  pendingBytes(): number;
  /** Behind what was written last. */
  position(): JournalPosition;
  close(): void;
}

/** Written in one go; keeps a recovery from holding up the process. */
const PART_BYTES = 512 * 1024;

/** A full disk may have room again; after any other error the file itself is not trusted any more. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

export function createJournal(options: JournalOptions): Journal {
  const pending = createPendingLines(options.maxPendingBytes);
  const output = createJournalOutput(options);
  let isFailing = false;

  const write = (take: () => string): boolean => {
    try {
      // First what the disk refused before: only then is anything taken out of memory.
      output.write('');
      output.write(take());
    } catch (error) {
      isFailing = true;
      if (!FULL.has(codeOf(error))) output.leaveFile();
      options.onFailure(error);
      return false;
    }
    return true;
  };

  return {
    add: (request, line, place) => pending.add(request, line, place),
    flush(force = false) {
      if (isFailing && !force) return false;
      if (!write(() => pending.take(PART_BYTES))) return false;
      if (isFailing) options.onRecovery(pending.takeLost());
      isFailing = false;
      return true;
    },
    flushRequest(request) {
      if (isFailing) return false;
      return write(() => (pending.bytes() <= PART_BYTES ? pending.take(PART_BYTES) : pending.takeRequest(request)));
    },
    pendingBytes: () => pending.bytes() + output.waitingBytes(),
    position: () => output.position(),
    close: () => output.close(),
  };
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
