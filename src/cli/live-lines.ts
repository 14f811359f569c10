import type { Terminal } from './terminal.ts';

/**
 * Lines that stay, with one below them that changes. The last one is for terminals only; elsewhere lines are all there
 * is.
 */
export type LiveLines = {
  /** A line that stays. */
  print(line: string): void;
  /** What goes on; null: nothing any more. */
  status(line: string | null): void;
};

const UP_AND_CLEAR = '\u001b[1A\u001b[2K\r';

export function createLiveLines(terminal: Terminal): LiveLines {
  let shown: string | null = null;
  const draw = (lines: string, status: string | null): void => {
    const moves = shown === null ? '' : UP_AND_CLEAR;
    shown = status;
    const all = `${lines}${status === null ? '' : `${status}\n`}`;
    if (moves + all !== '') terminal.raw(all, moves);
  };
  return {
    print: (line) => draw(`${line}\n`, shown),
    status: (line) => {
      if (terminal.isInteractive && line !== shown) draw('', line === null ? null : cut(line, terminal.columns));
    },
  };
}

/** A line that wraps could not be taken back. It must not be painted. */
const cut = (line: string, columns: number): string =>
  line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
