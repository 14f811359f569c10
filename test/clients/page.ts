import type { Client } from './client.ts';
import { FAULTS, type FaultName } from './faults.ts';
import { versionOf } from './install.ts';

export type Pair = 'native' | 'foreign';
export type Outcome = {
  readonly name: string;
  readonly pair: Pair;
  readonly fault: FaultName;
  readonly word: 'whole' | 'told' | 'broken';
};

export const COLUMNS = ['client', 'version', 'native', 'foreign', 'a', 'b', 'c'] as const;

const NAMES: Readonly<Record<string, string>> = {
  'openai-chat': 'Chat',
  'openai-responses': 'Responses',
  'anthropic-messages': 'Messages',
  gemini: 'Gemini',
};

/** One word if all say the same, else which cells say what. */
function sum(outcomes: readonly Outcome[]): string {
  const spoken = [...new Set(outcomes.map(({ word }) => word))];
  if (spoken.length < 2) return spoken[0] ?? 'not run';
  const partOf = (word: string): string => {
    const cells = outcomes.filter((outcome) => outcome.word === word);
    return `${word}: ${cells.map(({ pair, fault }) => `${pair} ${fault.slice(2)}`).join(', ')}`;
  };
  return spoken.map(partOf).join('; ');
}

export function rowOf(name: string, client: Client, outcomes: readonly Outcome[]): readonly string[] {
  const own = outcomes.filter((outcome) => outcome.name === name);
  const inColumn = (column: string) => own.filter(({ fault }) => FAULTS[fault].column === column);
  const told = (pair: Pair) => sum(inColumn('none').filter((outcome) => outcome.pair === pair));
  return [
    client.title,
    versionOf(client.package, client.dependency),
    `${NAMES[client.protocol]}: ${told('native')}`,
    `${NAMES[client.foreign]}: ${told('foreign')}`,
    ...['a', 'b', 'c'].map((column) => sum(inColumn(column))),
  ];
}

export const tableOf = (rows: readonly (readonly string[])[]): string =>
  [COLUMNS, COLUMNS.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const BEGIN = '<!-- tested -->';
const END = '<!-- /tested -->';

/** The page with another table. */
export function withTable(page: string, table: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the page has no place for the table');
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}

/** Rows of the page's table, each by its cells. */
export const rowsOf = (page: string): readonly (readonly string[])[] =>
  (page.split(BEGIN)[1]?.split(END)[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| client '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
