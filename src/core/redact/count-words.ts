import { foldWords } from './fold-words.ts';

/** Longer ones are told by nobody who only names a thing. */
const MAX_NAME = 64;
/** What may be one name: of a tool, a model, the path of a file. An address of a person is none. */
const CANDIDATE = /[\p{L}\p{M}\p{N}_./:-]+/gu;
const MARKS = /^[./:-]+|[./:-]+$/g;
const NAME = /^[A-Za-z0-9_./:-]+$/;

const count = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;
const foldedWords = (text: string): number => count(foldWords(text), /[^ ]+/g);

/**
 * A thing is called what the request calls it, mark by mark; a sentence with other marks in the place of its blanks stands
 * nowhere like that. Mostly digits are somebody's number.
 */
const isName = (text: string, written: string): boolean =>
  text.length <= MAX_NAME && NAME.test(text) && count(text, /[a-z]/gi) > count(text, /\d/g) && written.includes(text);

/**
 * The words of a text, whatever stands between them. A name (letters, digits and `_ . / : -`, at most 64 of them, more
 * letters than digits) is one word if it is `written` just so.
 */
export function countWords(text: string, written: string): number {
  const names = Array.from(text.matchAll(CANDIDATE), ([word]) => word.replace(MARKS, '')).filter((word) =>
    isName(word, written),
  );
  return names.reduce((words, name) => words - Math.max(0, foldedWords(name) - 1), foldedWords(text));
}
