import { write, writeSync } from 'node:fs';

export type LineWriterOptions = {
  readonly fd: number;
  /** What a stuck reader may keep waiting, in bytes; lines beyond it are dropped. */
  readonly maxWaiting: number;
  /** What the reader gets to take the rest, once the process ends. */
  readonly lastWordsMs: number;
  /** For tests. */
  readonly io?: LineIo;
};

type LineIo = {
  /** Calls back with the error's code, or how many bytes were taken. */
  readonly write: (fd: number, bytes: Buffer, done: (code: string | null, taken: number) => void) => void;
  /** The same at once; throws as `fs` does. */
  readonly writeSync: (fd: number, bytes: Buffer) => number;
};

export type LineWriter = {
  write(line: string): void;
  /** Writes what waits, now. For the end of a process: never takes longer than `lastWordsMs`, whatever the reader does. */
  flush(): void;
};

const SYSTEM: LineIo = {
  write: (fd, bytes, done) => write(fd, bytes, (error, taken) => done(error === null ? null : codeOf(error), taken)),
  writeSync: (fd, bytes) => writeSync(fd, bytes),
};

const MAX_WRITE = 64 * 1024;
const PATIENCE_MS = 50;

const isBusy = (code: string): boolean => code === 'EAGAIN' || code === 'EBUSY';

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');

/**
 * Writes lines to a descriptor, asynchronously: a reader that is slow must not hold up the requests. What can't be written
 * since the terminal, the pipe or the disk is gone is dropped, and the next line is tried again: a log that can't be
 * written is no reason to stop serving, nor to hold up the end of the process.
 */
export function createLineWriter({ fd, maxWaiting, lastWordsMs, io = SYSTEM }: LineWriterOptions): LineWriter {
  let waiting: Buffer[] = [];
  let size = 0;
  let isWriting = false;

  const next = (): void => {
    const [first] = waiting;
    if (isWriting || first === undefined) return;
    const bytes = takeChunk();
    isWriting = true;
    io.write(fd, bytes, (code, taken) => {
      if (code !== null && isBusy(code)) {
        putBack(bytes);
        setTimeout(resume, PATIENCE_MS).unref();
        return;
      }
      if (code === null && taken < bytes.length) putBack(bytes.subarray(taken));
      resume();
    });
  };
  const resume = (): void => {
    isWriting = false;
    next();
  };
  const takeChunk = (): Buffer => {
    let count = 0;
    for (let length = 0; count < waiting.length && (count === 0 || length < MAX_WRITE); count++)
      length += waiting[count]?.length ?? 0;
    const bytes = Buffer.concat(waiting.slice(0, count));
    waiting = waiting.slice(count);
    size -= bytes.length;
    return bytes;
  };
  const putBack = (bytes: Buffer): void => {
    waiting.unshift(bytes);
    size += bytes.length;
  };

  return {
    write(line) {
      const bytes = Buffer.from(line);
      if (size + bytes.length > maxWaiting) return;
      waiting.push(bytes);
      size += bytes.length;
      next();
    },
    flush() {
      let rest = Buffer.concat(waiting);
      waiting = [];
      size = 0;
      for (let leftMs = lastWordsMs; rest.length > 0 && leftMs > 0; ) {
        try {
          rest = rest.subarray(io.writeSync(fd, rest));
        } catch (error) {
          if (!isBusy(codeOf(error))) return;
          pause(PATIENCE_MS);
          leftMs -= PATIENCE_MS;
        }
      }
    },
  };
}

/** Nothing else runs meanwhile: for the end of a process only. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
