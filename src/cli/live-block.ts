import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from './terminal.ts';

/** Lines at the foot of what was printed, that change while something goes on. For terminals only. */
export type LiveBlock = {
  show(lines: readonly string[]): void;
  clear(): void;
};

const UP_AND_CLEAR = '\u001b[1A\u001b[2K\r';
/** More lines could have left the screen, and can't be taken back. */
const MOST_LINES = 16;

export function createLiveBlock(terminal: Terminal): LiveBlock {
  let shown = 0;
  const draw = (lines: readonly string[]): void => {
    const moves = UP_AND_CLEAR.repeat(shown);
    shown = lines.length;
    if (moves !== '' || shown > 0) terminal.raw(lines.map((line) => `${line}\n`).join(''), moves);
  };
  return {
    show(lines) {
      if (terminal.isInteractive) draw(lines.slice(0, MOST_LINES).map((line) => fitLine(line, terminal.columns)));
    },
    clear: () => draw([]),
  };
}

/** A line that wraps could not be taken back; one that is too long loses its paint with its end. */
function fitLine(line: string, columns: number): string {
  const plain = [...stripVTControlCharacters(line)];
  return plain.length < columns ? line : `${plain.slice(0, Math.max(0, columns - 2)).join('')}…`;
}
