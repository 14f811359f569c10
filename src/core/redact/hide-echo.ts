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
 * and has three words. `whole` is the request's text, white space folded; it is searched once for each twelve characters of
 * `text`.
 */
export function hideEcho(text: string, whole: string): string {
  if (text.length < MIN_ECHO) return text;
  let out = '';
  let done = 0;
  for (let probe = 0; probe + PROBE <= text.length; probe += PROBE) {
    if (probe < done) continue;
    const [from, to] = findEcho(text, whole, done, probe);
    if (!isEcho(text.slice(from, to))) continue;
    out += text.slice(done, from) + HIDDEN;
    done = to;
  }
  return done === 0 ? text : out + text.slice(done);
}

/** The longest piece around a probe that stands in the request; `least`: what is in front of it is told already. */
function findEcho(text: string, whole: string, least: number, probe: number): readonly [from: number, to: number] {
  const piece = text.slice(probe, probe + PROBE);
  let best: readonly [number, number] = [probe, probe];
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
  (countOf(piece, /\s/g) >= MIN_SPACES || countOf(piece, /[\u0080-\uffff]/g) >= MIN_UNSPACED);
