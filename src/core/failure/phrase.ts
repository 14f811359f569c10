import type { Range } from '../redact/reading.ts';

/**
 * Words of providers as data. A phrase is lower-case words; `*` stands for anything of up to 80 characters between two
 * of them, `#` for a number, `~` for something quoted. It matches whole words, whatever the case and the white space.
 */

/** Nothing behind this decides. */
export const MAX_MESSAGE = 2000;

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

/** Straight marks for curly ones, place by place. */
const straighten = (message: string): string =>
  message.replace(/[\u2018\u2019\u02bc]/g, "'").replace(/[\u201c\u201d]/g, '"');

/** A message as phrases want it: bounded, lower case, plain quotes, single spaces. */
export function normaliseMessage(message: string): string {
  return straighten(message.slice(0, MAX_MESSAGE))
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** A quotation between marks of one kind, of which an escaped one is no end. */
const between = (mark: string): string => `${mark}(?:\\\\.|[^${mark}\\\\]){0,2000}${mark}`;
/** A single mark opens where a word may begin, and ends none inside a word: "don't", "the users' tools". */
const SINGLE = "(?<![\\w'])'(?:\\\\.|'(?=\\w)|[^'\\\\]){0,2000}'(?!\\w)";
/** One that nobody closed goes on to the end: messages are cut, here and elsewhere. */
const UNCLOSED = /(?<![\w~])["'`](?=\S).*$/;
const QUOTATION = new RegExp([between('`'), between('"'), SINGLE].join('|'), 'g');

/** A name of something, as in `messages[0].content`, `x-ai/grok-4`, `tool use`: too short for a sentence. */
const NAME = /^[\w.$[\]/:@-]{1,128}(?: (?:> )?[\w.[\]-]{1,32})?$/;
/** A relay that wraps an error as JSON into its own words. */
const BEFORE_MESSAGE = /\{ ?message ?: ?$/;

/** Behind these stands what the caller wrote, whatever it looks like: `'input': '…'`, `Invalid value: '…'`. */
const BEFORE_VALUE = /(?:\binput(?:_value)?['"]?\s?[:=]|\binvalid value:?|\b(?:got|received|found|given):?)\s?$/;

/** And in front of these: `"…" is not one of ["user"]`. */
const BEHIND_VALUE = /^ is not (?:one of|of type|a valid (?:role|type|value)|among)\b/;

/** Where a message quotes more than a name; what is never closed goes on to its end. The message is as it was written. */
export function quotedSentences(message: string): readonly Range[] {
  const straight = straighten(message).replace(/\s/g, ' ');
  const found: Range[] = [];
  const rest = straight.replace(QUOTATION, (all: string, index: number) => {
    if (!NAME.test(all.slice(1, -1))) found.push([index, index + all.length]);
    return '~'.repeat(all.length);
  });
  const open = UNCLOSED.exec(rest);
  return open === null ? found : [...found, [open.index, message.length]];
}

type Replace = (content: string, before: string, behind: string) => string;

function replaceQuotations(message: string, replace: Replace): string {
  let out = '';
  let done = 0;
  for (const { 0: all, index } of message.matchAll(QUOTATION)) {
    out += message.slice(done, index);
    done = index + all.length;
    out += replace(all.slice(1, -1), out.slice(-24), message.slice(done, done + 24));
  }
  return (out + message.slice(done)).replace(UNCLOSED, '~');
}

/**
 * A normalised message without what it quotes. Providers quote the caller's own words ("Invalid value: '…'"), and those
 * must never decide what kind of failure it was. Each quotation leaves a `~`.
 */
export const withoutQuotes = (message: string): string => replaceQuotations(message, () => '~');

/**
 * The same, but for names, which stay without their marks: what refuses a parameter writes its name with and without
 * them. A name in the place of a value is the caller's and goes too, and so does every other mark.
 */
export const withNames = (message: string): string =>
  replaceQuotations(message, (content, before, behind) => {
    if (BEFORE_MESSAGE.test(before)) return withNames(content);
    const isValue = BEFORE_VALUE.test(before) || BEHIND_VALUE.test(behind);
    return NAME.test(content) && !isValue ? content : '~';
  }).replace(/["'`]/g, '');

/** `message` must be normalised. */
export const hasPhrase = (message: string, phrases: readonly string[]): boolean =>
  message !== '' &&
  phrases.some((phrase) => {
    const { literal, pattern } = compile(phrase);
    return message.includes(literal) && pattern.test(message);
  });

/** Codes and types are compared without regard to case, `-`, `_`, dots and blanks. */
export const normaliseCode = (code: string): string => code.toLowerCase().replace(/[\s._-]+/g, '');
