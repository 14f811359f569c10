import { type Compared, comparePieces } from './compare-pieces.ts';
import { type Counted, countWords, wordsWith } from './count-words.ts';
import { MIN_ECHO, PIECE } from './echo-bounds.ts';
import { findJoined } from './find-joined.ts';
import { findNames } from './find-names.ts';
import { findPieces } from './find-pieces.ts';
import { findStretches } from './find-stretches.ts';
import { foldWords, readWords } from './fold-words.ts';
import { cutOut, type Range, type Reading, writtenRange } from './reading.ts';
import { readingsOf } from './undo-escapes.ts';
import { withoutShared } from './without-shared.ts';

/** A name of a tool or of a file may be told; what people write has several words. */
const MIN_WORDS = 3;
/** Many scripts have no spaces; so many of their characters are a sentence. */
const MIN_UNSPACED = 12;

const HIDDEN = '[…]';

type EchoOptions = {
  /** What of the text is told though the request says it too. */
  readonly keep?: readonly Range[];
  /** The request as it was written, in parts: what has a name there (`countWords`) may be named. Absent: nothing has. */
  readonly written?: readonly ArrayLike<number>[];
};

/**
 * Takes out of an error what it repeats of the request: providers quote prompts. An echo is at least 24 characters long
 * and has three words, whatever stands between them; a name is one word. `whole` is the request's text as `foldWords` makes
 * it, and so is what is compared with it: case, white space, punctuation, what is invisible and escapes make no difference,
 * nor do missing blanks. Takes time by the length of both: `whole` is read at most twice and `written` at most once, one
 * step for each unit of them.
 */
export function hideEcho(text: string, whole: string, { keep = [], written = [] }: EchoOptions = {}): string {
  if (text.length < MIN_ECHO || whole.length < PIECE) return text;
  const readings = readingsOf(text).map((reading) => ({ reading, words: readWords(reading.text) }));
  const compared = comparePieces(
    readings.map(({ words }) => words.text),
    whole,
  );
  const pieces = readings.flatMap(({ reading, words }, n) => findRepeats(reading, words, compared[n] as Compared));
  const echoes: Range[] = echoesAmong(pieces, written).map(({ range }) => range);
  const { reading, words } = readings.at(-1) as (typeof readings)[number];
  const plain = stretchesOf(compared.at(-1) as Compared).map((stretch) => writtenRange(words, stretch));
  echoes.push(...findJoined(reading.text, whole, plain).map((range) => writtenRange(reading, range)));
  return echoes.length === 0 ? text : cutOut(text, withoutKept(text, echoes, keep), HIDDEN);
}

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

const stretchesOf = ({ has, places }: Compared): readonly Range[] => findStretches(has, places, PIECE);

/** What of a text stands in the request, long enough for an echo. */
type Repeat = { readonly range: Range; readonly isUnspaced: boolean; readonly counted: Counted };

function findRepeats(reading: Reading, words: Reading, compared: Compared): readonly Repeat[] {
  return stretchesOf(compared).flatMap((stretch) => {
    const echo = writtenRange(words, withoutShared(compared, stretch));
    const piece = reading.text.slice(...echo);
    if (piece.length < MIN_ECHO) return [];
    const isUnspaced = (piece.match(/[\u0080-\uffff]/g) ?? []).length >= MIN_UNSPACED;
    return [{ range: writtenRange(reading, echo), isUnspaced, counted: countWords(piece) }];
  });
}

/** A thing is called what the request calls it, mark by mark; that is asked only where it decides, and once for all. */
function echoesAmong(repeats: readonly Repeat[], written: readonly ArrayLike<number>[]): readonly Repeat[] {
  const isEnough = ({ isUnspaced, counted }: Repeat, isName: (name: string) => boolean): boolean =>
    isUnspaced || wordsWith(counted, isName) >= MIN_WORDS;
  const mayBe = repeats.filter((repeat) => isEnough(repeat, () => false));
  const doubted = mayBe.filter((repeat) => !isEnough(repeat, () => true));
  const asked = new Set(doubted.flatMap(({ counted }) => counted.names.map(({ name }) => name)));
  if (asked.size === 0) return mayBe;
  const names = findNames(asked, written);
  return mayBe.filter((repeat) => isEnough(repeat, (name) => names.has(name)));
}

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
