import type { Compared } from './compare-pieces.ts';
import { BLANK, MAX_SHARED } from './echo-bounds.ts';
import type { Range } from './reading.ts';

/** Scripts in which a few letters may be a whole name, and words have no blanks between them, begin behind this. */
const LAST_SPACED = '\u05ff';
const isShort = (part: string): boolean =>
  part.length <= MAX_SHARED && Array.from(part).every((char) => char <= LAST_SPACED);

const isInside = (words: string, at: number): boolean =>
  at > 0 && at < words.length && words[at - 1] !== BLANK && words[at] !== BLANK;

/** The words at whose edges a stretch is cut; of joined ones nobody knows where those of the request begin and end. */
type Edges = Pick<Compared, 'words' | 'isBegin' | 'isEnd'>;

/**
 * A stretch without the letters at its ends that only happen to be the same: of "prompt …" and "content …" the `t`. Where a
 * word of the request begins or ends inside a word of the error, somebody has written on to it, and it is hidden whole.
 */
export function withoutShared({ words, isBegin, isEnd }: Edges, [start, end]: Range): Range {
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
