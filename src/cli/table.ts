import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from './terminal.ts';

export type Column = {
  readonly title: string;
  readonly align?: 'left' | 'right' /** May be cut to fit. */;
  readonly shrink?: boolean;
};

const GAP = '  ';
const MIN_SHRUNK = 8;

const width = (text: string): number => [...stripVTControlCharacters(text)].length;

/** Rows under dim titles, columns as wide as their widest cell. Cells may be painted. */
export function renderTable(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const widths = measureColumns(terminal, columns, rows);
  const titles = columns.map((column) => column.title);
  const head = terminal.paint('dim', renderRow(columns, widths, titles));
  return [head, ...rows.map((row) => renderRow(columns, widths, row))].join('\n');
}

/** Widths that hold these rows, for tables that are written row by row. */
export function measureColumns(
  terminal: Terminal,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly number[] {
  const natural = columns.map((column, i) => Math.max(width(column.title), ...rows.map((row) => width(row[i] ?? ''))));
  return terminal.isInteractive ? fitWidths(columns, natural, terminal.columns) : natural;
}

/** One row. */
export function renderRow(columns: readonly Column[], widths: readonly number[], cells: readonly string[]): string {
  return columns
    .map((column, i) => pad(cut(cells[i] ?? '', widths[i] ?? 0), widths[i] ?? 0, column.align ?? 'left'))
    .join(GAP)
    .trimEnd();
}

/** Takes from the columns that may shrink what the terminal does not have. */
function fitWidths(columns: readonly Column[], natural: readonly number[], available: number): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, w) => sum + w, 0) + GAP.length * (columns.length - 1) - available;
  for (let i = columns.length - 1; i >= 0 && excess > 0; i--) {
    if (!columns[i]?.shrink) continue;
    const taken = Math.min(excess, Math.max(0, (widths[i] ?? 0) - MIN_SHRUNK));
    widths[i] = (widths[i] ?? 0) - taken;
    excess -= taken;
  }
  return widths;
}

function cut(text: string, max: number): string {
  if (width(text) <= max) return text;
  return `${[...stripVTControlCharacters(text)].slice(0, Math.max(0, max - 1)).join('')}…`;
}

function pad(text: string, to: number, align: 'left' | 'right'): string {
  const fill = ' '.repeat(Math.max(0, to - width(text)));
  return align === 'left' ? text + fill : fill + text;
}
