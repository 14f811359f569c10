import { writeSync } from 'node:fs';
import { createLineWriter, type LineWriter } from './line-writer.ts';
import { openUnheld } from './open-unheld.ts';

/** What a stuck reader may keep waiting before more is dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Both standard streams together may hold up the end of the process for a second. */
const LAST_WORDS_MS = 500;

/**
 * Lines for standard output (1) or error (2) that hold up nobody. It is opened with the first one; what waits is
 * flushed when the process exits.
 */
export function openStandardWriter(fd: 1 | 2, onGap?: (lines: number) => void): LineWriter {
  let unheld: number | null = null;
  const open = (): number => {
    process.once('exit', () => writer.flush());
    return openUnheld(fd);
  };
  const writer = createLineWriter({
    write(bytes) {
      unheld ??= open();
      return writeSync(unheld, bytes);
    },
    maxWaiting: MAX_WAITING_BYTES,
    lastWordsMs: LAST_WORDS_MS,
    ...(onGap === undefined ? {} : { onGap }),
  });
  return writer;
}
