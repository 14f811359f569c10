import { sanitizeLog } from '../../app/sanitize.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Passes of a log on standard input what may leave the house. What is left out is neither printed nor a failure. The
 * first Ctrl-C is for the gateway in front of the pipe, whose last events are still to come.
 */
export async function sanitize(
  terminal: Terminal,
  input: AsyncIterable<Uint8Array> = process.stdin,
): Promise<ExitCode> {
  const stay = (): void => {};
  process.once('SIGINT', stay);
  try {
    await sanitizeLog(input, (line) => terminal.out(line));
    return EXIT.fine;
  } finally {
    process.off('SIGINT', stay);
  }
}
