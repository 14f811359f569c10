import { constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

const { O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;

/**
 * A descriptor for the same place as standard output or error, on which a write never waits for the reader: it takes
 * what there is room for, or throws `EAGAIN`. The flag for that belongs to what was opened, and a terminal or a pipe is
 * shared with the shell and other processes, which would be surprised: so the place is opened anew. Where the system
 * does not let us (sockets, which have no name; other systems' pipes), Node sets the flag itself as soon as its stream
 * is asked for. Files have no readers to wait for.
 */
export function openUnheld(fd: 1 | 2): number {
  return reopen(fd) ?? letNodeOpen(fd);
}

/** Null: it is of no kind that can be held, or can't be opened anew. */
export function reopen(fd: number): number | null {
  const isTerminal = isatty(fd);
  if (!isTerminal && !isPipe(fd)) return null;
  // Somebody else's terminal (`su`) may only be opened by the name that it has for its own processes.
  for (const path of isTerminal ? [`/proc/self/fd/${fd}`, '/dev/tty'] : [`/proc/self/fd/${fd}`]) {
    try {
      return openSync(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    } catch {
      // The next one.
    }
  }
  return null;
}

function isPipe(fd: number): boolean {
  try {
    return fstatSync(fd).isFIFO();
  } catch {
    return false;
  }
}

function letNodeOpen(fd: 1 | 2): number {
  void (fd === 1 ? process.stdout : process.stderr);
  return fd;
}
