import { styleText } from 'node:util';
import { paintsIn, plainText } from './plain-text.ts';

type Style = Parameters<typeof styleText>[0];

/**
 * Where a command writes, and what may be written there. Whatever a text holds, a terminal gets nothing to act on but
 * our own paint (`plainText`).
 */
export type Terminal = {
  /** For people or, with `--json`, machines. */
  out(text: string): void;
  err(text: string): void;
  /** To the same place as `out`, without a line end of its own; `moves` of the cursor go first, to the letter. */
  raw(text: string, moves?: string): void;
  /** Paints text where the output is a terminal that wants colours; else gives it back. */
  paint(style: Style, text: string): string;
  readonly isInteractive: boolean;
  readonly columns: number;
  /** Width of the error side; null where that is no terminal. */
  readonly errColumns: number | null;
};

type Writer = { write(text: string): unknown };

const DEFAULT_COLUMNS = 100;

export function createTerminal(
  stdout: Writer & { readonly isTTY?: boolean; readonly columns?: number },
  stderr: Writer & { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
): Terminal {
  const isInteractive = stdout.isTTY === true;
  const wantsColour = env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : isInteractive && !env['NO_COLOR'];
  const paints = new Set<string>();
  const plain = (text: string): string => plainText(text, paints);
  const paint = (style: Style, text: string): string => {
    // What the text brings along is not ours.
    for (const each of paintsIn(styleText(style, ' ', { validateStream: false }))) paints.add(each);
    return styleText(style, text, { validateStream: false });
  };
  const line = (text: string): string => (text.endsWith('\n') ? plain(text) : `${plain(text)}\n`);
  return {
    out: (text) => void stdout.write(line(text)),
    raw: (text, moves = '') => void stdout.write(moves + plain(text)),
    err: (text) => void stderr.write(line(text)),
    paint: (style, text) => (wantsColour && text !== '' ? paint(style, text) : text),
    isInteractive,
    columns: stdout.columns || DEFAULT_COLUMNS,
    errColumns: stderr.isTTY === true ? stderr.columns || DEFAULT_COLUMNS : null,
  };
}
