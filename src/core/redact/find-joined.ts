import { type Compared, comparePieces } from './compare-pieces.ts';
import { BLANK, MAX_SHARED, MIN_ECHO, PIECE } from './echo-bounds.ts';
import { findStretches } from './find-stretches.ts';
import { readWords } from './fold-words.ts';
import { type Range, type Reading, writtenRange } from './reading.ts';
import { withoutShared } from './without-shared.ts';

/** A word of a text without the blanks of its folding, and where each unit stands in that. */
type Joined = { readonly at: number; readonly words: Reading; readonly text: string; readonly from: readonly number[] };

function joinedWords(text: string): readonly Joined[] {
  return Array.from(text.matchAll(/\S+/g)).flatMap(({ 0: word, index }) => {
    if (word.length < MIN_ECHO) return [];
    const words = readWords(word);
    const from = Array.from({ length: words.text.length }, (_, n) => n).filter((n) => words.text[n] !== BLANK);
    return from.length < MIN_ECHO ? [] : [{ at: index, words, text: words.text.replaceAll(BLANK, ''), from }];
  });
}

/** What of a word stands in the request, as ranges of its folding: of at least 24 letters and digits. */
function stretchesOf({ words, from }: Joined, { has, places, isBegin, isEnd }: Compared): readonly Range[] {
  const place = (n: number): number => from[n] ?? 0;
  return findStretches(has, places, PIECE)
    .map(([start, end]) => withoutShared({ words: words.text, isBegin, isEnd }, [place(start), place(end - 1) + 1]))
    .filter((range) => words.text.slice(...range).replaceAll(BLANK, '').length >= MIN_ECHO);
}

/**
 * Where a text has in one word, without blanks or with other ones, what the request writes in several: `myAuntLivesHere`.
 * `plain`: what of the text stands there with its blanks, and is judged by others. `whole`: the folded request. It is read
 * once more, and only if there is a word of such a length beside those.
 */
export function findJoined(text: string, whole: string, plain: readonly Range[]): readonly Range[] {
  const isPlain = ([from, to]: Range): boolean =>
    plain.some(([start, end]) => start <= from + MAX_SHARED && end >= to - MAX_SHARED);
  const inText = ({ at, words }: Joined, range: Range): Range => {
    const [from, to] = writtenRange(words, range);
    return [at + from, at + to];
  };
  const joined = joinedWords(text).filter((word) => !isPlain(inText(word, [0, word.words.text.length])));
  if (joined.length === 0) return [];
  const compared = comparePieces(
    joined.map((word) => word.text),
    whole,
    true,
  );
  return joined.flatMap((word, n) =>
    stretchesOf(word, compared[n] as Compared)
      .map((range) => inText(word, range))
      .filter((range) => !isPlain(range)),
  );
}
