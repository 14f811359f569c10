import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from './terminal.ts';

/** What a line may begin with before its words: marks, an arrow, a title with two spaces behind it. */
const LEAD = /^\s*(?:(?:[✓✗!–→•#]|\S+:\d+:\d+|no configuration file) +)?/u;
/** A line gets at least so many columns, wherever it begins. */
const NARROWEST = 24;

const width = (text: string): number => [...stripVTControlCharacters(text)].length;

/**
 * A text for people in lines of at most `max`, broken between words alone: what is longer than a line (an address, a
 * path) stays whole, so that it can be copied. A line goes on below its own words, behind its indent and its mark; or
 * at `hang`, where that is given. Paint is no width.
 */
export function wrapProse(text: string, max: number, hang?: number): string {
  return text
    .split('\n')
    .map((line) => (width(line) <= max ? line : wrapLine(line, max, hang)))
    .join('\n');
}

function wrapLine(line: string, max: number, hang: number | undefined): string {
  const plain = stripVTControlCharacters(line);
  const indent = hang ?? width(LEAD.exec(plain)?.[0] ?? '');
  const [first = '', ...words] = splitWords(line);
  const lines = [first];
  for (const word of words) {
    const joined = `${lines.at(-1)}${word}`;
    if (width(joined.trimEnd()) <= Math.max(max, NARROWEST)) lines[lines.length - 1] = joined;
    else lines.push(`${' '.repeat(indent)}${word.replace(/^ +/, '')}`);
  }
  return lines.map((each) => each.replace(/ +$/, '')).join('\n');
}

/** Words with the spaces before them; the first one has the indent too. */
const splitWords = (line: string): readonly string[] => line.match(/^\s*\S+|\s+\S+|\s+$/gu) ?? [line];

/** For standard output: wrapped where that is a terminal. */
export const proseOut = (terminal: Terminal, text: string, hang?: number): string =>
  terminal.isInteractive ? wrapProse(text, terminal.columns, hang) : text;

/** For standard error, likewise. */
export const proseErr = ({ errColumns }: Terminal, text: string, hang?: number): string =>
  errColumns === null ? text : wrapProse(text, errColumns, hang);
