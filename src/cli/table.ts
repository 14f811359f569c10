import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from './terminal.ts';

export type Column = {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * What gives way on a narrow terminal: `cut`, cells end in an ellipsis; `wrap`, they go on in the next line (and are
   * not painted). Absent: nothing; so are the words that the next command needs.
   */
  readonly fit?: 'cut' | 'wrap';
  /** On a terminal that is too narrow for all, columns are left out: 1 first, then 2 … Absent: never. */
  readonly drop?: number;
};

type Rows = readonly (readonly string[])[];

/** Columns that are shown, by their places, with their widths. */
type Layout = { readonly shown: readonly number[]; readonly widths: readonly number[] };

const GAP = '  ';
/** A column gives way down to this, or its title. */
const MIN_CUT = 8;
const MIN_WRAPPED = 24;

const width = (text: string): number => [...stripVTControlCharacters(text)].length;

/** Rows under dim titles, columns as wide as their widest cell or as the terminal allows. Cells may be painted. */
export function renderTable(terminal: Terminal, columns: readonly Column[], rows: Rows): string {
  const { shown, widths } = layOut(terminal, columns, rows);
  const pick = <T>(all: readonly T[]): readonly T[] => shown.flatMap((i) => all[i] ?? []);
  const kept = pick(columns);
  const titles = kept.map((column) => column.title);
  const head = terminal.paint('dim', renderRow(kept, widths, titles));
  const left = columns.filter((_, i) => !shown.includes(i)).map((column) => column.title);
  const note = left.length === 0 ? [] : [terminal.paint('dim', `no room for: ${left.join(', ')}`)];
  const lines = rows.map((row) => renderRow(kept, widths, cellsOf(row, shown)));
  return [head, ...lines, ...note].join('\n');
}

const cellsOf = (row: readonly string[], shown: readonly number[]): readonly string[] => shown.map((i) => row[i] ?? '');

/** Widths that hold these rows, for tables that are written row by row. */
export function measureColumns(terminal: Terminal, columns: readonly Column[], rows: Rows): readonly number[] {
  const natural = measure(columns, rows);
  return terminal.isInteractive ? fitWidths(columns, natural, terminal.columns) : natural;
}

/** One row; more lines than one where a cell is wrapped. */
export function renderRow(columns: readonly Column[], widths: readonly number[], cells: readonly string[]): string {
  const parts = columns.map((column, i) => linesOf(cells[i] ?? '', column, widths[i] ?? 0));
  const height = Math.max(1, ...parts.map((lines) => lines.length));
  return Array.from({ length: height }, (_, n) =>
    columns
      .map((column, i) => pad(parts[i]?.[n] ?? '', widths[i] ?? 0, column.align ?? 'left'))
      .join(GAP)
      .trimEnd(),
  ).join('\n');
}

/** Words in lines of at most `max`; a word that is longer is broken. */
export function wrapText(text: string, max: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => breakWord(long, max))) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (width(joined) <= max) line = joined;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function breakWord(word: string, max: number): readonly string[] {
  const letters = [...word];
  if (letters.length <= max) return [word];
  const parts = Math.ceil(letters.length / max);
  return Array.from({ length: parts }, (_, n) => letters.slice(n * max, (n + 1) * max).join(''));
}

const measure = (columns: readonly Column[], rows: Rows): readonly number[] =>
  columns.map((column, i) => Math.max(width(column.title), ...rows.map((row) => width(row[i] ?? ''))));

function layOut(terminal: Terminal, columns: readonly Column[], rows: Rows): Layout {
  const natural = measure(columns, rows);
  const all = columns.map((_, i) => i);
  if (!terminal.isInteractive) return { shown: all, widths: natural };
  const pick = <T>(shown: readonly number[], from: readonly T[]): readonly T[] => shown.flatMap((i) => from[i] ?? []);
  let shown = all;
  for (const last of dropOrder(columns)) {
    const least = pick(shown, columns).map((column, i) => leastOf(column, pick(shown, natural)[i] ?? 0));
    if (total(least) <= terminal.columns) break;
    shown = shown.filter((i) => i !== last);
  }
  return { shown, widths: fitWidths(pick(shown, columns), pick(shown, natural), terminal.columns) };
}

const dropOrder = (columns: readonly Column[]): readonly number[] =>
  columns
    .map(({ drop }, i) => ({ drop, i }))
    .filter(({ drop }) => drop !== undefined)
    .sort((one, other) => (one.drop ?? 0) - (other.drop ?? 0))
    .map(({ i }) => i);

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, 0) + GAP.length * Math.max(0, widths.length - 1);

const leastOf = ({ fit, title }: Column, natural: number): number =>
  fit === undefined ? natural : Math.min(natural, Math.max(width(title), fit === 'wrap' ? MIN_WRAPPED : MIN_CUT));

/** Takes what the terminal does not have from the columns that give way, the widest of them first. */
function fitWidths(columns: readonly Column[], natural: readonly number[], available: number): readonly number[] {
  const widths = [...natural];
  for (let excess = total(widths) - available; excess > 0; excess--) {
    const spare = widths.map((each, i) => (each > leastOf(columns[i] ?? { title: '' }, natural[i] ?? 0) ? each : 0));
    const widest = spare.indexOf(Math.max(...spare));
    if (spare[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

const linesOf = (text: string, { fit }: Column, max: number): readonly string[] =>
  fit === 'wrap' && width(text) > max ? wrapText(stripVTControlCharacters(text), max) : [cut(text, max)];

function cut(text: string, max: number): string {
  if (width(text) <= max) return text;
  return `${[...stripVTControlCharacters(text)].slice(0, Math.max(0, max - 1)).join('')}…`;
}

function pad(text: string, to: number, align: 'left' | 'right'): string {
  const fill = ' '.repeat(Math.max(0, to - width(text)));
  return align === 'left' ? text + fill : fill + text;
}

/** A text for the terminal's width; as it is where there is none. */
export const wrapLines = (terminal: Terminal, text: string, indent = ''): string =>
  terminal.isInteractive
    ? wrapText(text, Math.max(MIN_WRAPPED, terminal.columns - indent.length)).join(`\n${indent}`)
    : text;
