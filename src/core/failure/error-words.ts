import { undoEscapes } from '../redact/undo-escapes.ts';
import { normaliseCode } from './phrase.ts';
import * as tables from './words/index.ts';

const entriesOf = (ending: RegExp): readonly string[] =>
  Object.entries(tables).flatMap(([name, table]): readonly string[] =>
    ending.test(name) ? (table as readonly string[]) : [],
  );
/** The words of a text: letters and digits in a row, in lower case. */
export const partsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const KNOWN: ReadonlySet<string> = new Set([
  ...entriesOf(/_WORDS$/).flatMap(partsOf),
  ...tables.GLUE,
  ...tables.SPEECH,
]);
const CODES: ReadonlySet<string> = new Set(entriesOf(/_CODES$/).map(normaliseCode));
const COUNTED: ReadonlySet<string> = new Set(tables.COUNTED);
const MEASURES: ReadonlySet<string> = new Set(tables.MEASURES);
const LINKS: ReadonlySet<string> = new Set(tables.LINKS);
const STATUSES: ReadonlySet<string> = new Set(tables.STATUSES);

const COMPARISON = /^[<>=≤≥]+$/;
const DIGITS = /^\d{1,7}$/;
/** `30000`, `1.5`, `1,000,000`; what begins with 0 counts nothing. */
const NUMBER = /^(?:(?:0|[1-9]\d{0,6})(?:\.\d{1,3})?|[1-9]\d{0,2}(?:[,_]\d{3}){1,2})$/;
const STATUS = /^[1-5]\d\d$/;
/** Of an element, a version. */
const INDEX = /^\d{1,3}$/;
/** Names have two in a row at most: `messages.3.content.0`, `gpt-4.5`. */
const MAX_INDICES = 2;
/** A value behind the name of something: `code:123`. */
const VALUE = /[:=]["'`]?\d/;
/** `20s`, `1m2`, `128k`, `4o` */
const AMOUNT = /^\d{1,4}(?:ms|[smhdkbo])(?:\d{1,2}s?)?$/;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** `number` and `amount`: numbers alone, the second with a unit; `other`: nothing that errors are made of. */
export type WordKind = 'word' | 'number' | 'amount' | 'other';

/** What stands between two blanks. What reads as something else, as escapes do, is none of an error's own. */
export function kindOf(text: string): WordKind {
  const parts = partsOf(text);
  if (!isPlain(text, parts)) return 'other';
  if (parts.length === 0) return 'word';
  if (parts.every((part) => /^\d+$/.test(part))) return 'number';
  if (parts.every((part) => AMOUNT.test(part) || INDEX.test(part))) return parts.length <= 2 ? 'amount' : 'other';
  return isName(text, parts) ? 'word' : 'other';
}

function isPlain(text: string, parts: readonly string[]): boolean {
  const read = undoEscapes(text);
  return read.from === null || partsOf(read.text).join(' ') === parts.join(' ');
}

/** Words of errors, joined by marks, with their indices: names of parameters are. */
function isName(text: string, parts: readonly string[]): boolean {
  const isCounted = (n: number): boolean => MEASURES.has(parts[n - 1] ?? '') || COUNTED.has(parts[n + 1] ?? '');
  const numbers = parts.flatMap((part, n) => (DIGITS.test(part) ? [n] : []));
  if (VALUE.test(text) && !numbers.every(isCounted)) return false;
  if (numbers.some((n) => numbers.includes(n + 1) && numbers.includes(n + MAX_INDICES))) return false;
  return parts.every(
    (part, n) => KNOWN.has(part) || AMOUNT.test(part) || INDEX.test(part) || (DIGITS.test(part) && isCounted(n)),
  );
}

const all = (text: string, table: ReadonlySet<string>): boolean => {
  const parts = partsOf(text);
  return parts.length > 0 && parts.every((part) => table.has(part));
};

/** Behind these a number is of the next part of a sentence. */
const ENDS = /[,.;!?)]$/;
const measures = (word: string): boolean => COMPARISON.test(word) || (!ENDS.test(word) && all(word, MEASURES));

/** Whether a number stands where errors count: "limit 30000", "a maximum of 100", "20 seconds", "> 200000", "status 429". */
export function isMeasured(text: string, [farther, before]: readonly [string, string], behind: string): boolean {
  const number = text.replace(EDGES, '');
  if (!NUMBER.test(number)) return false;
  const [next = ''] = partsOf(behind);
  if (COMPARISON.test(behind) || COUNTED.has(next) || measures(before)) return true;
  if (all(before, LINKS)) return measures(farther);
  return STATUS.test(number) && all(partsOf(before).join(' ') === 'code' ? farther : before, STATUSES);
}

/** `invalid_request_error`, `ServiceUnavailableException`: a code of the tables, or one made of words of errors. */
export const isErrorCode = (code: string): boolean =>
  CODES.has(normaliseCode(code)) || kindOf(code.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_')) === 'word';
