import { findPieces } from './find-pieces.ts';
import { readWords } from './fold-words.ts';
import { type Range, type Reading, writtenRange } from './reading.ts';

const BLANK = ' ';

export type JoinedOptions = {
  /** Units of a piece that is compared. */
  readonly piece: number;
  /** Units that what is found has at least, without blanks. */
  readonly least: number;
  /** So many letters of a word at the edge of what is found are not the request's. */
  readonly shared: number;
};

/** A word of a text without the blanks of its folding, and where each unit stands in that. */
type Joined = { readonly at: number; readonly words: Reading; readonly text: string; readonly from: readonly number[] };

function joinedWords(text: string, least: number): readonly Joined[] {
  return Array.from(text.matchAll(/\S+/g)).flatMap(({ 0: word, index }) => {
    if (word.length < least) return [];
    const words = readWords(word);
    const from = Array.from({ length: words.text.length }, (_, n) => n).filter((n) => words.text[n] !== BLANK);
    return from.length < least ? [] : [{ at: index, words, text: words.text.replaceAll(BLANK, ''), from }];
  });
}

const placesIn = (text: string, piece: number): number => text.length - piece + 1;

/** Of each place of each word whether the piece there stands in the request: it is read once. */
function comparePieces(texts: readonly string[], piece: number, whole: string): Uint8Array {
  const places = texts.reduce((sum, text) => sum + placesIn(text, piece), 0);
  const pieces = new Uint16Array(places * piece);
  let done = 0;
  for (const text of texts) {
    for (let at = 0; at < placesIn(text, piece); at++) {
      for (let n = 0; n < piece; n++) pieces[done++] = text.charCodeAt(at + n);
    }
  }
  return findPieces(pieces, piece, whole);
}

/** Where pieces that are there follow each other. */
function stretchesOf(found: Uint8Array, piece: number): readonly Range[] {
  const out: [from: number, to: number][] = [];
  for (let at = 0; at < found.length; at++) {
    if (found[at] !== 1) continue;
    const last = out.at(-1);
    if (last !== undefined && at <= last[1]) last[1] = at + piece;
    else out.push([at, at + piece]);
  }
  return out;
}

/** Without the few letters at an edge that end, or begin, another word. */
function withoutShared(words: string, [start, end]: Range, shared: number): Range {
  const next = words.indexOf(BLANK, start);
  const last = words.lastIndexOf(BLANK, end - 1);
  const isCutAhead = start > 0 && words[start - 1] !== BLANK;
  const isCutBehind = end < words.length && words[end] !== BLANK;
  const from = isCutAhead && next >= 0 && next - start <= shared ? next + 1 : start;
  const to = isCutBehind && last > from && end - last - 1 <= shared ? last : end;
  return [from, to];
}

/**
 * Where a text has in one word, without blanks or with other ones, what the request writes in several: `myAuntLivesHere`.
 * `plain`: what of the text stands there with its blanks, and is judged by others. `whole`: the folded request. It is read
 * once more, and only if there is a word of such a length beside those.
 */
export function findJoined(
  text: string,
  whole: string,
  plain: readonly Range[],
  { piece, least, shared }: JoinedOptions,
): readonly Range[] {
  const isPlain = (from: number, to: number): boolean =>
    plain.some(([start, end]) => start <= from + shared && end >= to - shared);
  const joined = joinedWords(text, least).filter(({ at, words }) => {
    const [from, to] = writtenRange(words, [0, words.text.length]);
    return !isPlain(at + from, at + to);
  });
  if (joined.length === 0) return [];
  const texts = joined.map((word) => word.text);
  const found = comparePieces(texts, piece, whole.replaceAll(BLANK, ''));
  let base = 0;
  return joined.flatMap((word) => {
    const first = base;
    base += placesIn(word.text, piece);
    return stretchesOf(found.subarray(first, base), piece).flatMap(([start, end]) => {
      const place = (n: number): number => word.from[n] ?? 0;
      const range = withoutShared(word.words.text, [place(start), place(end - 1) + 1], shared);
      const [from, to] = writtenRange(word.words, range);
      const isShort = word.words.text.slice(...range).replaceAll(BLANK, '').length < least;
      return isShort || isPlain(word.at + from, word.at + to) ? [] : [[word.at + from, word.at + to] as const];
    });
  });
}
