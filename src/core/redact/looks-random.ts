/** Behind each letter those that follow it in words and in names of models; nearly half of all pairs never do. */
const FOLLOWERS =
  'abcdfgiklmnoprstuvwxyz babeilorsu cacehiklorstu dadeilorsu eabcdefgiklmnopqrstvwxy faefiloruy gaeghilnorsu haeiortuy iabcdefgklmnoprstuvxz jaeiou kaeiosuy ladeilmopstuvy mabeimnopsuy nacdefgiklnorstuvy oabcdfghiklmnoprstuvwxy paehiloprstu quw rabcdegiklmnoprstuvy sacehiklmopstuy taceghilmorstuwy uabcdegilmnprstx vaeios waehinos xaeipt yaeiprstuw zaeh';

const PAIRS: ReadonlySet<string> = new Set(
  FOLLOWERS.split(' ').flatMap((row) => Array.from(row.slice(1), (next) => row.charAt(0) + next)),
);

/** Of the pairs of a word so many at least are found in other words. */
const WORD_SHARE = 0.8;
/** Of the letters of a part so many at least are in words. */
const LETTER_SHARE = 0.6;
/** So short a part is an abbreviation, a size, a version. */
const SHORT = 7;
/** A date without separators; longer numbers are parts of keys. */
const DATE = 8;

function isWord(letters: string): boolean {
  if (letters.length < 3) return false;
  const lower = letters.toLowerCase();
  let known = 0;
  for (let at = 0; at + 2 <= lower.length; at++) if (PAIRS.has(lower.slice(at, at + 2))) known++;
  return known >= WORD_SHARE * (lower.length - 1);
}

/** `Llama4Maverick17B` is two words, two numbers and a letter; what chance has made falls into many more. */
const HUMP = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
const NUMBER = /\d+/g;
/** Names have no more than one number for so many characters. */
const PER_NUMBER = 6;
const HEX = /^[\da-f]{24,}$/i;

const isNumber = (part: string): boolean => /^\d+$/.test(part);

/** A part without separators: whether chance has made it. */
function isRandomPart(part: string): boolean {
  if (part.length <= SHORT) return false;
  if (isNumber(part)) return part.length > DATE;
  const numbers = part.match(NUMBER)?.length ?? 0;
  if (numbers > 0 && (HEX.test(part) || numbers * PER_NUMBER > part.length + PER_NUMBER)) return true;
  const humps = part.match(HUMP) ?? [];
  const letters = humps.reduce((sum, hump) => sum + hump.length, 0);
  const inWords = humps.reduce((sum, hump) => sum + (isWord(hump) ? hump.length : 0), 0);
  return inWords < LETTER_SHARE * letters || part.length - letters > letters;
}

/** A word with no more than a version behind it. */
const VERSIONED = /^([a-z]+)\d{0,3}$/i;

/** The same, where a key is expected: no part of it is believed that is long and has numbers in it. */
const isKeyPart = (part: string): boolean =>
  part.length > SHORT && (isNumber(part) ? part.length > DATE : !isWord(VERSIONED.exec(part)?.[1] ?? ''));

const PART = /[a-z\d]+/gi;

export type Part = { readonly at: number; readonly text: string };

/** The parts of a text that are no words, no numbers and not short: what keys are made of, and names are not. */
export const randomParts = (text: string): readonly Part[] =>
  Array.from(text.matchAll(PART), ({ 0: part, index }) => ({ at: index, text: part })).filter((part) =>
    isRandomPart(part.text),
  );

const partsOf = (text: string): readonly string[] => text.match(PART) ?? [];

/** Whether a value has a part that a key could have, or was masked. */
export const looksLikeKey = (text: string): boolean => text.includes('**') || partsOf(text).some(isKeyPart);

/** Whether a text is only words and short numbers, as prose is and names of parameters are: `rate-limit`, `v1`, `2024-05`. */
export const isWordy = (text: string): boolean =>
  partsOf(text).every((part) => part.length <= 3 || (isNumber(part) ? part.length <= DATE : isWord(part)));

/** Whether a text is only words. */
export const isProse = (text: string): boolean => !/\d/.test(text) && isWordy(text);
