import { BLANK, PIECE } from './echo-bounds.ts';
import { findPieces } from './find-pieces.ts';

const SPACE = BLANK.charCodeAt(0);

/** How a place of a text is compared: its `n`th unit. */
type Form = (words: string, at: number, n: number) => number;

const asItStands: Form = (words, at, n) => words.charCodeAt(at + n);
/** As where a word of the request begins, or ends: in the place of the first, or the last, unit stands a blank. */
const begins: Form = (words, at, n) => (n === 0 ? SPACE : asItStands(words, at, n));
const ends: Form = (words, at, n) => (n === PIECE - 1 ? SPACE : asItStands(words, at, n));

const FORMS = [asItStands, begins, ends] as const;

/** The words of a text, and what of them stands in the request. A place at which there is no room for a piece has none. */
export type Compared = {
  readonly words: string;
  readonly places: number;
  /** Whether the piece at a place does, as it stands. */
  readonly has: (at: number) => boolean;
  /** Whether a word of the request begins, or ends, at a place, together with what is behind it, or in front. */
  readonly isBegin: (at: number) => boolean;
  readonly isEnd: (at: number) => boolean;
};

/**
 * Compares each place of some texts with a folded request, which is read once. `isJoined`: without the blanks of the
 * request, and then nobody knows where its words begin and end.
 */
export function comparePieces(texts: readonly string[], whole: string, isJoined = false): readonly Compared[] {
  const forms = isJoined ? 1 : FORMS.length;
  const counts = texts.map((words) => Math.max(0, words.length - PIECE + 1));
  const pieces = new Uint16Array(counts.reduce((sum, count) => sum + count, 0) * forms * PIECE);
  let done = 0;
  for (const [nth, words] of texts.entries()) {
    for (let at = 0; at < (counts[nth] ?? 0); at++) {
      for (const form of FORMS.slice(0, forms)) {
        for (let n = 0; n < PIECE; n++) pieces[done++] = form(words, at, n);
      }
    }
  }
  const found = findPieces(pieces, PIECE, whole, isJoined);
  let base = 0;
  return texts.map((words, nth) => {
    const first = base;
    const places = counts[nth] ?? 0;
    base += places;
    const has = (at: number, form: number): boolean => found[(first + at) * forms + form] === 1;
    // Where there is no room for a piece nobody can tell: then it is the request's.
    const mayHave = (at: number, form: number): boolean => !isJoined && (at < 0 || at >= places || has(at, form));
    return {
      words,
      places,
      has: (at) => at < places && has(at, 0),
      isBegin: (at) => mayHave(at - 1, 1),
      isEnd: (at) => mayHave(at - PIECE + 1, 2),
    };
  });
}
