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

/** Columns that are shown, by their places, with their widths; `below`: the one that stands below each row. */
type Layout = {
  readonly shown: readonly number[];
  readonly widths: readonly number[];
  readonly below: number | null;
};

const GAP = '  ';
/** A column gives way down to this, or its title; `tight`: where leaving columns out was not enough. */
const LEAST = { roomy: { cut: 8, wrap: 24 }, tight: { cut: 8, wrap: 12 } } as const;
type Room = keyof typeof LEAST;
const MIN_WRAPPED = LEAST.roomy.wrap;
/** Of what stands below its row. */
const BELOW = '    ';

const width = (text: string): number => [...stripVTControlCharacters(text)].length;

/** Rows under dim titles, columns as wide as their widest cell or as the terminal allows. Cells may be painted. */
export function renderTable(terminal: Terminal, columns: readonly Column[], rows: Rows): string {
  const { shown, widths, below } = layOut(terminal, columns, rows);
  const pick = <T>(all: readonly T[]): readonly T[] => shown.flatMap((i) => all[i] ?? []);
  const kept = pick(columns);
  const titles = kept.map((column) => column.title);
  const head = terminal.paint('dim', renderRow(kept, widths, titles));
  const left = columns.filter((_, i) => !shown.includes(i) && i !== below).map((column) => column.title);
  const note = noRoomFor(terminal, left);
  const lines = rows.map((row) => {
    const under = below === null ? '' : (row[below] ?? '');
    const line = renderRow(kept, widths, cellsOf(row, shown));
    return under === '' ? line : `${line}\n${BELOW}${wrapLines(terminal, under, BELOW)}`;
  });
  return [head, ...lines, ...note].join('\n');
}

/** What is told of columns that were left out. */
export const noRoomFor = (terminal: Terminal, titles: readonly string[]): readonly string[] =>
  titles.length === 0 ? [] : [terminal.paint('dim', `no room for: ${titles.join(', ')}`)];

const cellsOf = (row: readonly string[], shown: readonly number[]): readonly string[] => shown.map((i) => row[i] ?? '');

/** Widths that hold these rows, for tables that are written row by row. */
export function measureColumns(terminal: Terminal, columns: readonly Column[], rows: Rows): readonly number[] {
  const natural = measure(columns, rows);
  return terminal.isInteractive ? fitWidths(columns, natural, terminal.columns, 'roomy') : natural;
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

/** Words in lines of at most `max`; a word that is longer is broken, but no address and no path. */
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
  if (letters.length <= max || word.includes('/')) return [word];
  const parts = Math.ceil(letters.length / max);
  return Array.from({ length: parts }, (_, n) => letters.slice(n * max, (n + 1) * max).join(''));
}

const measure = (columns: readonly Column[], rows: Rows): readonly number[] =>
  columns.map((column, i) => Math.max(width(column.title), ...rows.map((row) => width(row[i] ?? ''))));

function layOut(terminal: Terminal, columns: readonly Column[], rows: Rows): Layout {
  const natural = measure(columns, rows);
  const all = columns.map((_, i) => i);
  if (!terminal.isInteractive) return { shown: all, widths: natural, below: null };
  const pick = <T>(shown: readonly number[], from: readonly T[]): readonly T[] => shown.flatMap((i) => from[i] ?? []);
  const fits = (shown: readonly number[], room: Room): boolean =>
    total(pick(shown, columns).map((column, i) => leastOf(column, pick(shown, natural)[i] ?? 0, room))) <=
    terminal.columns;
  let shown = all;
  for (const last of dropOrder(columns)) {
    if (fits(shown, 'roomy')) break;
    shown = shown.filter((i) => i !== last);
  }
  // As the very last: what may be wrapped gets lines of its own.
  const last = shown.at(-1) ?? 0;
  const below = !fits(shown, 'tight') && columns[last]?.fit === 'wrap' ? last : null;
  shown = shown.filter((i) => i !== below);
  const room = fits(shown, 'roomy') ? 'roomy' : 'tight';
  return { shown, widths: fitWidths(pick(shown, columns), pick(shown, natural), terminal.columns, room), below };
}

const dropOrder = (columns: readonly Column[]): readonly number[] =>
  columns
    .map(({ drop }, i) => ({ drop, i }))
    .filter(({ drop }) => drop !== undefined)
    .sort((one, other) => (one.drop ?? 0) - (other.drop ?? 0))
    .map(({ i }) => i);

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each, 0) + GAP.length * Math.max(0, widths.length - 1);

const leastOf = ({ fit, title }: Column, natural: number, room: Room): number =>
  fit === undefined ? natural : Math.min(natural, Math.max(width(title), LEAST[room][fit]));

/** Takes what the terminal does not have from the columns that give way, the widest of them first. */
function fitWidths(
  columns: readonly Column[],
  natural: readonly number[],
  available: number,
  room: Room,
): readonly number[] {
  const widths = [...natural];
  for (let excess = total(widths) - available; excess > 0; excess--) {
    const spare = widths.map((each, i) =>
      each > leastOf(columns[i] ?? { title: '' }, natural[i] ?? 0, room) ? each : 0,
    );
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
