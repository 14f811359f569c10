import { foldWords, readWords } from './fold-words.ts';
import { cutOut, type Range, type Reading, writtenRange } from './reading.ts';
import { readingsOf } from './undo-escapes.ts';

/** Shorter pieces of a request are words that any error may use. */
const MIN_ECHO = 24;
/** Aligned pieces of this size lie in every echo that counts. */
const PROBE = MIN_ECHO / 2;
/** A name of a tool or of a file may be told; what people write has several words. */
const MIN_SPACES = 2;
/** Many scripts have no spaces; so many of their characters are a sentence. */
const MIN_UNSPACED = 12;

const HIDDEN = '[…]';

/** A piece may begin in many places of a request; the longest of the first ones counts. */
const MAX_PLACES = 16;

/**
 * Takes out of an error what it repeats of the request: providers quote prompts. An echo is at least 24 characters long
 * and has three words. `whole` is the request's text as `foldWords` makes it, and so is what is compared with it: case, white
 * space, punctuation, what is invisible and escapes make no difference. `whole` is searched once for each twelve characters
 * of `text`, and again where `text` reads otherwise without its escapes.
 */
export function hideEcho(text: string, whole: string): string {
  if (text.length < MIN_ECHO) return text;
  return cutOut(
    text,
    readingsOf(text).flatMap((reading) => findEchoes(reading, whole)),
    HIDDEN,
  );
}

/** Whether a text, or what it reads as without its escapes, stands in a folded one. */
export const isRepeated = (text: string, whole: string): boolean =>
  readingsOf(text).some((reading) => whole.includes(foldWords(reading.text).trim()));

function findEchoes(reading: Reading, whole: string): readonly Range[] {
  const words = readWords(reading.text);
  const found: Range[] = [];
  let done = 0;
  for (let probe = 0; probe + PROBE <= words.text.length; probe += PROBE) {
    if (probe < done) continue;
    const [from, to] = withoutBlanks(words.text, findEcho(words.text, whole, done, probe));
    const echo = writtenRange(words, [from, to]);
    if (!isEcho(reading.text.slice(...echo))) continue;
    found.push(writtenRange(reading, echo));
    done = to;
  }
  return found;
}

function withoutBlanks(text: string, [from, to]: Range): Range {
  const isBlankFirst = text[from] === ' ';
  return [isBlankFirst ? from + 1 : from, text[to - 1] === ' ' ? to - 1 : to];
}

/** The longest piece around a probe that stands in the request; `least`: what is in front of it is told already. */
function findEcho(text: string, whole: string, least: number, probe: number): Range {
  const piece = text.slice(probe, probe + PROBE);
  let best: Range = [probe, probe];
  let place = whole.indexOf(piece);
  for (let n = 0; n < MAX_PLACES && place >= 0; n++) {
    let from = 0;
    let to = PROBE;
    while (probe - from > least && place - from > 0 && text[probe - from - 1] === whole[place - from - 1]) from++;
    while (probe + to < text.length && text[probe + to] === whole[place + to]) to++;
    if (from + to > best[1] - best[0]) best = [probe - from, probe + to];
    place = whole.indexOf(piece, place + 1);
  }
  return best;
}

const countOf = (piece: string, pattern: RegExp): number => (piece.trim().match(pattern) ?? []).length;

const isEcho = (piece: string): boolean =>
  piece.length >= MIN_ECHO &&
  (countOf(piece, /[\s+]+/g) >= MIN_SPACES || countOf(piece, /[\u0080-\uffff]/g) >= MIN_UNSPACED);
