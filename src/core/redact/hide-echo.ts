import { countWords } from './count-words.ts';
import { findJoined } from './find-joined.ts';
import { findPieces } from './find-pieces.ts';
import { foldWords, readWords } from './fold-words.ts';
import { cutOut, type Range, type Reading, writtenRange } from './reading.ts';
import { readingsOf } from './undo-escapes.ts';

/** Shorter pieces of a request are words that any error may use. */
const MIN_ECHO = 24;
/** What is compared: so many units of the words in a row, without what stands between them. */
const PIECE = 20;
/** A name of a tool or of a file may be told; what people write has several words. */
const MIN_WORDS = 3;
/** Many scripts have no spaces; so many of their characters are a sentence. */
const MIN_UNSPACED = 12;
/** So many letters of a word that only ends, or begins, as one of the request does are told: they are the error's own. */
const MAX_SHARED = 3;

const HIDDEN = '[…]';
const BLANK = ' ';

/** Ways to compare a place: as it stands, and as where a word of the request begins, or ends. */
const KINDS = 3;
type Kind = 0 | 1 | 2;
const PLAIN = 0;
const BEGINS = 1;
const ENDS = 2;

/** The words of a text, and what of them stands in the request. */
type Compared = {
  readonly words: string;
  /** Whether the piece that begins at a place does; false: there is none. */
  readonly isThere: (at: number) => boolean;
  /** Whether a word of the request begins, or ends, at a place, together with what is behind it, or in front. */
  readonly isBegin: (at: number) => boolean;
  readonly isEnd: (at: number) => boolean;
};

export type EchoOptions = {
  /** What of the text is told though the request says it too. */
  readonly keep?: (text: string) => readonly Range[];
  /** The request as it was written: what has a name there (`countWords`) may be named. Absent: nothing has. */
  readonly written?: string;
};

/**
 * Takes out of an error what it repeats of the request: providers quote prompts. An echo is at least 24 characters long
 * and has three words, whatever stands between them; a name is one word. `whole` is the request's text as `foldWords` makes
 * it, and so is what is compared with it: case, white space, punctuation, what is invisible and escapes make no difference,
 * nor do missing blanks. Takes time by the length of both.
 */
export function hideEcho(text: string, whole: string, { keep, written = '' }: EchoOptions = {}): string {
  if (text.length < MIN_ECHO || whole.length < PIECE) return text;
  const readings = readingsOf(text).map((reading) => ({ reading, words: readWords(reading.text) }));
  const compared = compareAll(
    readings.map(({ words }) => words.text),
    whole,
  );
  const echoes = readings.flatMap(({ reading, words }, n) =>
    findEchoes(reading, words, compared[n] as Compared, written),
  );
  const { reading, words } = readings.at(-1) as (typeof readings)[number];
  const plain = stretchesOf(compared.at(-1) as Compared).map((stretch) => writtenRange(words, stretch));
  echoes.push(...findJoined(reading.text, whole, plain, JOINED).map((range) => writtenRange(reading, range)));
  return echoes.length === 0 ? text : cutOut(text, withoutKept(text, echoes, keep?.(text) ?? []), HIDDEN);
}

const JOINED = { piece: PIECE, least: MIN_ECHO, shared: MAX_SHARED };

/**
 * Up to here the engine's own search is the faster one, whatever it searches. Of a longer text it may look at the whole
 * anew at each place.
 */
const LONG = 64;

function standsIn(words: string, whole: string): boolean {
  if (words.length <= LONG) return whole.includes(words);
  const piece = Uint16Array.from({ length: words.length }, (_, at) => words.charCodeAt(at));
  return words.length <= whole.length && findPieces(piece, words.length, whole)[0] === 1;
}

/** Whether a text, or what it reads as without its escapes, stands in a folded one. Takes time by the length of both. */
export const isRepeated = (text: string, whole: string): boolean =>
  Array.from(new Set(readingsOf(text).map((reading) => foldWords(reading.text).trim()))).some((words) =>
    standsIn(words, whole),
  );

const placesIn = (words: string): number => Math.max(0, words.length - PIECE + 1);

function compareAll(texts: readonly string[], whole: string): readonly Compared[] {
  const count = texts.reduce((sum, words) => sum + placesIn(words), 0);
  const pieces = new Uint16Array(count * KINDS * PIECE);
  let done = 0;
  for (const words of texts) {
    for (let at = 0; at < placesIn(words); at++, done += KINDS * PIECE) writePieces(pieces, done, words, at);
  }
  const found = findPieces(pieces, PIECE, whole);
  let base = 0;
  return texts.map((words) => {
    const first = base;
    const places = placesIn(words);
    base += places;
    const has = (at: number, kind: Kind): boolean => found[(first + at) * KINDS + kind] === 1;
    // Where there is no room for a piece nobody can tell: then it is the request's.
    const mayHave = (at: number, kind: Kind): boolean => at < 0 || at >= places || has(at, kind);
    return {
      words,
      isThere: (at) => at < places && has(at, PLAIN),
      isBegin: (at) => mayHave(at - 1, BEGINS),
      isEnd: (at) => mayHave(at - PIECE + 1, ENDS),
    };
  });
}

function writePieces(pieces: Uint16Array, to: number, words: string, at: number): void {
  for (let n = 0; n < PIECE; n++) {
    const unit = words.charCodeAt(at + n);
    pieces[to + n] = unit;
    pieces[to + PIECE * BEGINS + n] = n === 0 ? BLANK.charCodeAt(0) : unit;
    pieces[to + PIECE * ENDS + n] = n === PIECE - 1 ? BLANK.charCodeAt(0) : unit;
  }
}

function findEchoes(reading: Reading, words: Reading, compared: Compared, written: string): readonly Range[] {
  return stretchesOf(compared).flatMap((stretch) => {
    const echo = writtenRange(words, withoutShared(compared, stretch));
    return isEcho(reading.text.slice(...echo), written) ? [writtenRange(reading, echo)] : [];
  });
}

/** Where pieces that are there follow each other. */
function stretchesOf({ words, isThere }: Compared): readonly Range[] {
  const out: [from: number, to: number][] = [];
  for (let at = 0; at + PIECE <= words.length; at++) {
    if (!isThere(at)) continue;
    const last = out.at(-1);
    if (last !== undefined && at <= last[1]) last[1] = at + PIECE;
    else out.push([at, at + PIECE]);
  }
  return out;
}

/** Scripts in which a few letters may be a whole name, and words have no blanks between them, begin behind this. */
const LAST_SPACED = '\u05ff';
const isShort = (part: string): boolean =>
  part.length <= MAX_SHARED && Array.from(part).every((char) => char <= LAST_SPACED);

/**
 * A stretch without the letters at its ends that only happen to be the same: of "prompt …" and "content …" the `t`. Where a
 * word of the request begins or ends inside a word of the error, somebody has written on to it, and it is hidden whole.
 */
function withoutShared({ words, isBegin, isEnd }: Compared, [start, end]: Range): Range {
  let from = start;
  let to = end;
  if (isInside(words, start)) {
    const next = words.indexOf(BLANK, start);
    const limit = next < 0 || next > end ? end : next;
    while (from < limit && !isBegin(from)) from++;
    if (from === limit && !isShort(words.slice(start, limit))) from = start;
  }
  if (isInside(words, end)) {
    const limit = Math.max(from, words.lastIndexOf(BLANK, end - 1) + 1);
    while (to > limit && !isEnd(to)) to--;
    if (to === limit && !isShort(words.slice(limit, end))) to = end;
  }
  if (words[from] === BLANK) from++;
  return [from, words[to - 1] === BLANK ? to - 1 : to];
}

const isInside = (words: string, at: number): boolean =>
  at > 0 && at < words.length && words[at - 1] !== BLANK && words[at] !== BLANK;

const isEcho = (piece: string, written: string): boolean =>
  piece.length >= MIN_ECHO &&
  ((piece.match(/[\u0080-\uffff]/g) ?? []).length >= MIN_UNSPACED || countWords(piece, written) >= MIN_WORDS);

/** What is left of ranges without others; marks and blanks alone are nothing. */
function withoutKept(text: string, ranges: readonly Range[], kept: readonly Range[]): readonly Range[] {
  const left = (from: number, to: number): readonly Range[] => {
    const rest = text.slice(from, to);
    const start = from + rest.length - rest.trimStart().length;
    return from < to && /[\p{L}\p{N}]/u.test(rest) ? [[start, start + rest.trim().length]] : [];
  };
  const cut = ([from, to]: Range, [start, end]: Range): readonly Range[] =>
    start >= to || end <= from ? [[from, to]] : [...left(from, start), ...left(end, to)];
  return kept.reduce((rest, each) => rest.flatMap((range) => cut(range, each)), ranges);
}
