import { anthropicStatus, CATALOGUE } from './catalogue.ts';
import { type ClassifierRow, FAILURE_TABLE } from './table.ts';

/** A vertical bar would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;

/** The failure table as Markdown, for the documentation. */
export function printFailureTable(): string {
  const rows = FAILURE_TABLE.map((row, i) => [String(i + 1), ...cellsOf(row)]);
  return table(['#', ...FAILURE_HEAD], rows);
}

/** Rows that stand before that table for some requests, as Markdown. */
export const printFailureRows = (rows: readonly ClassifierRow[]): string => table(FAILURE_HEAD, rows.map(cellsOf));

const FAILURE_HEAD = ['class', 'outcome', 'before commit', 'scope', 'hold', 'circuit'];

const cellsOf = ({ title, description, columns }: ClassifierRow): readonly string[] => [
  `**${title}**: ${description}`,
  columns.outcome,
  columns.beforeCommit,
  columns.scope,
  columns.hold,
  columns.circuit,
];

/** Every code that clients may get, as Markdown, for the documentation. */
export function printErrorTable(): string {
  const rows = Object.values(CATALOGUE).map((entry) => [
    `\`${entry.code}\``,
    entry.overload ? `${entry.status} (Anthropic ${anthropicStatus(entry.code)})` : String(entry.status),
    `\`${entry.openaiType}\``,
    `\`${entry.anthropicType}\``,
    `\`${entry.geminiStatus}\``,
    entry.component,
    entry.meaning,
    entry.remedy,
  ]);
  return table(
    ['code', 'status', 'OpenAI type', 'Anthropic type', 'Gemini status', 'component', 'meaning', 'remedy'],
    rows,
  );
}
