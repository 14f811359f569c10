/**
 * Words of providers as data. A phrase is lower-case words; `*` stands for anything of up to 80 characters between two of
 * them, `#` for a number, `~` for something quoted. It matches whole words, whatever the case and the white space.
 */

const MAX_MESSAGE = 2000;

type Compiled = {
  /** Its longest run of plain words: where that is missing, the pattern need not be asked. */
  readonly literal: string;
  readonly pattern: RegExp;
};

const compiled = new Map<string, Compiled>();

const longest = (parts: readonly string[]): string =>
  parts.reduce((best, part) => (part.length > best.length ? part : best), '');

function compile(phrase: string): Compiled {
  const known = compiled.get(phrase);
  if (known) return known;
  const body = phrase
    .replace(/[\\^$.+?()[\]{}|/]/g, '\\$&')
    .replaceAll('#', '\\d[\\d,._]{0,15}')
    .replaceAll(' * ', ' (?:.{0,80} )?');
  const pattern = new RegExp(`(?<![a-z0-9_])${body}(?![a-z0-9_])`);
  const made = { literal: longest(phrase.split(/ \* |#/)), pattern };
  compiled.set(phrase, made);
  return made;
}

/** A message as phrases want it: bounded, lower case, plain quotes, single spaces. */
export function normaliseMessage(message: string): string {
  return message
    .slice(0, MAX_MESSAGE)
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/**
 * A normalised message without what it quotes. Providers quote the caller's own words ("Invalid value: '…'"), and those
 * must never decide what kind of failure it was. Each quotation leaves a `~`.
 */
export function withoutQuotes(message: string): string {
  return message
    .replace(/`[^`]{0,400}`/g, '~')
    .replace(/"[^"]{0,400}"/g, '~')
    .replace(/(^|[\s([{:=,])'[^']{0,400}'(?=$|[\s)\]},.:;])/g, '$1~');
}

/** A normalised message with its quotation marks gone: what names a parameter writes it with and without them. */
export const withoutMarks = (message: string): string => message.replace(/["'`]/g, '');

/** `message` must be normalised. */
export const hasPhrase = (message: string, phrases: readonly string[]): boolean =>
  message !== '' &&
  phrases.some((phrase) => {
    const { literal, pattern } = compile(phrase);
    return message.includes(literal) && pattern.test(message);
  });

/** Codes and types are compared without regard to case, `-`, `_`, dots and blanks. */
export const normaliseCode = (code: string): string => code.toLowerCase().replace(/[\s._-]+/g, '');
