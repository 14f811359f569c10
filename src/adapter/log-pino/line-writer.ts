import { createLineQueue } from './line-queue.ts';

export type LineWriterOptions = {
  /**
   * Hands bytes to the system and returns at once with how many it took; throws as `fs.writeSync` does. It must never
   * wait for a reader (`openUnheld`).
   */
  readonly write: (bytes: Buffer) => number;
  /** What a stuck reader may keep waiting, in bytes; lines beyond it are dropped. */
  readonly maxWaiting: number;
  /** What the reader gets to take the rest, once the process ends. */
  readonly lastWordsMs: number;
  /** Lines were dropped, and whoever reads takes lines again: how many since the last time this was told. */
  readonly onGap?: (lines: number) => void;
  /** Sleeps; nothing else runs meanwhile. For tests. */
  readonly pause?: (ms: number) => void;
};

export type LineWriter = {
  write(line: string): void;
  /**
   * Writes what waits, now. For the end of a process: waits for no longer than `lastWordsMs`, whatever the reader does.
   */
  flush(): void;
  /** Lines that nobody got, since the start. */
  dropped(): number;
};

/** A reader that has just taken something will soon take more. */
const LEAST_PATIENCE_MS = 1;
const MOST_PATIENCE_MS = 50;

const LINE_END = Buffer.from('\n');

/**
 * Writes lines to where somebody may read them, or has stopped to: a terminal after Ctrl-S, a pager, a collector that
 * hangs. Neither the requests nor the end of the process wait for that reader. While he takes what comes, a line is
 * written before `write` returns, so that none is under way when the process ends. What he does not take waits, within
 * `maxWaiting`, in its order; beyond that lines are dropped, counted, and told of once he is back. What can't be
 * written since the terminal, the pipe or the disk is gone is dropped likewise, and the next line is tried again.
 *
 * Pino's own destination (sonic-boom) does not do: with `sync` it sleeps on the event loop until a busy reader takes
 * the line; without, its writes stand in the thread pool, where one that a terminal holds is never done and keeps the
 * process from ending, and its `flushSync` tries again for ever.
 */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { lastWordsMs, onGap = () => {}, pause = pauseThread } = options;
  const queue = createLineQueue(options.maxWaiting);
  let timer: NodeJS.Timeout | null = null;
  let patience = LEAST_PATIENCE_MS;
  /** What is out ends within a line, the rest of which was dropped. */
  let isTorn = false;
  let dropped = 0;
  let untold = 0;

  const drop = (lines: number): void => {
    dropped += lines;
    untold += lines;
  };
  /** Bytes that were taken, 0 by a busy reader. */
  const attempt = (bytes: Buffer): number | 'failed' => {
    try {
      return options.write(bytes);
    } catch (error) {
      return isBusy(error) ? 0 : 'failed';
    }
  };
  /** One write. False: the reader is busy. */
  const writeSome = (): boolean => {
    if (isTorn) {
      const count = attempt(LINE_END);
      if (count === 0) return false;
      isTorn = count === 'failed';
    }
    const { bytes, lines } = queue.next();
    const count = attempt(bytes);
    if (count === 'failed') {
      isTorn ||= queue.isCut;
      queue.forward(bytes.length);
      drop(lines);
      return true;
    }
    queue.forward(count);
    if (count > 0) patience = LEAST_PATIENCE_MS;
    return count > 0;
  };
  /** False: the reader is busy. */
  const writeAll = (): boolean => {
    const before = untold;
    while (!queue.isEmpty) if (!writeSome()) return false;
    if (untold > 0 && untold === before) {
      untold = 0;
      onGap(before);
    }
    return queue.isEmpty;
  };
  /** How long the reader is left alone now. */
  const wait = (): number => {
    const ms = patience;
    patience = Math.min(patience * 2, MOST_PATIENCE_MS);
    return ms;
  };
  const resume = (): void => {
    timer = null;
    if (!writeAll()) timer ??= setTimeout(resume, wait()).unref();
  };

  return {
    write(line) {
      if (line === '') return;
      if (!queue.push(Buffer.from(line))) drop(1);
      else if (timer === null) resume();
    },
    flush() {
      for (let leftMs = lastWordsMs; !writeAll() && leftMs > 0; ) {
        const ms = wait();
        pause(ms);
        leftMs -= ms;
      }
      drop(queue.clear());
    },
    dropped: () => dropped,
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');

function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
