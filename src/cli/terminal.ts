import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Where a command writes, and what may be written there. */
export type Terminal = {
  /** For people or, with `--json`, machines. */
  out(text: string): void;
  err(text: string): void;
  /** To the same place as `out`, to the letter. */
  raw(text: string): void;
  /** Paints text where the output is a terminal that wants colours; else gives it back. */
  paint(style: Style, text: string): string;
  readonly isInteractive: boolean;
  readonly columns: number;
};

type Writer = { write(text: string): unknown };

const DEFAULT_COLUMNS = 100;

export function createTerminal(
  stdout: Writer & { readonly isTTY?: boolean; readonly columns?: number },
  stderr: Writer,
  env: NodeJS.ProcessEnv,
): Terminal {
  const isInteractive = stdout.isTTY === true;
  const wantsColour = env['FORCE_COLOR'] ? env['FORCE_COLOR'] !== '0' : isInteractive && !env['NO_COLOR'];
  return {
    out: (text) => void stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    raw: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text.endsWith('\n') ? text : `${text}\n`),
    paint: (style, text) => (wantsColour && text !== '' ? styleText(style, text, { validateStream: false }) : text),
    isInteractive,
    columns: stdout.columns || DEFAULT_COLUMNS,
  };
}
