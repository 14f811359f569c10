import { foldWords } from './fold-words.ts';

/** Longer ones are told by nobody who only names a thing. */
const MAX_NAME = 64;
/** What may be one name: of a tool, a model, the path of a file. An address of a person is none. */
const CANDIDATE = /[\p{L}\p{M}\p{N}_./:-]+/gu;
const MARKS = /^[./:-]+|[./:-]+$/g;
const NAME = /^[A-Za-z0-9_./:-]+$/;

const count = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;
const foldedWords = (text: string): number => count(foldWords(text), /[^ ]+/g);

/** Mostly digits are somebody's number. */
const mayBeName = (text: string): boolean =>
  text.length <= MAX_NAME && NAME.test(text) && count(text, /[a-z]/gi) > count(text, /\d/g);

/** A text's words, and what of it would be one word instead of several, if it were a name. */
export type Counted = {
  readonly words: number;
  readonly names: readonly { readonly name: string; readonly words: number }[];
};

/**
 * The words of a text, whatever stands between them. A name has letters, digits and `_ . / : -`, at most 64 of them, more
 * letters than digits.
 */
export function countWords(text: string): Counted {
  const names = Array.from(text.matchAll(CANDIDATE), ([word]) => word.replace(MARKS, ''))
    .filter(mayBeName)
    .map((name) => ({ name, words: foldedWords(name) }))
    .filter(({ words }) => words > 1);
  return { words: foldedWords(text), names };
}

/** The words if each of its names that is one counts as one. */
export const wordsWith = ({ words, names }: Counted, isName: (name: string) => boolean): number =>
  names.reduce((rest, { name, words: many }) => (isName(name) ? rest - many + 1 : rest), words);
