import type { FaultPlace } from '../scenario/scenario.ts';
import type { Answer } from './answer.ts';
import { type Beat, isEnd } from './beat.ts';

const indexBehind = (beats: readonly Beat[], kind: Beat['kind'], count: number): number => {
  let seen = 0;
  let behind = -1;
  for (const [index, each] of beats.entries()) {
    if (each.kind !== kind || seen === count) continue;
    seen += 1;
    behind = index + 1;
  }
  return behind;
};

const firstOf = (beats: readonly Beat[], is: (each: Beat) => boolean): number => {
  const found = beats.findIndex(is);
  return found < 0 ? beats.length : found;
};

/** Behind so many words, or the last of them; where no word stands in front, before the first word, call or end. */
function behindWords(beats: readonly Beat[], count: number): number {
  const behind = indexBehind(beats, 'word', count);
  return behind >= 0 ? behind : firstOf(beats, (each) => each.kind === 'word' || each.kind === 'call' || isEnd(each));
}

/** Behind the first call, where calls come in pieces behind its first piece. */
function insideTool(beats: readonly Beat[]): number {
  const inside = indexBehind(beats, 'args', 1);
  return inside >= 0 ? inside : indexBehind(beats, 'call', 1);
}

/** What completes the last call: its own end, the end of the answer, or, where calls are whole at once, itself. */
function behindTools(beats: readonly Beat[]): number {
  const isInPieces = beats.some(({ kind }) => kind === 'args');
  const kinds = isInPieces ? (['call_end', 'finish', 'args'] as const) : (['call'] as const);
  return Math.max(0, kinds.map((kind) => indexBehind(beats, kind, Number.POSITIVE_INFINITY)).find((i) => i > 0) ?? 0);
}

/** Before which beat a fault strikes; the number of beats: behind all. */
export function placeOf(beats: readonly Beat[], at: FaultPlace, { tools }: Pick<Answer, 'tools'>): number {
  if (typeof at === 'number') return behindWords(beats, at);
  switch (at) {
    case 'head':
      return 0;
    case 'before_output':
      return firstOf(beats, (each) => each.isOutput || isEnd(each));
    case 'before_end':
      return firstOf(beats, isEnd);
    case 'behind_end':
      return beats.length;
    case 'behind_finish': {
      const behind = indexBehind(beats, 'finish', 1);
      return behind < 0 ? firstOf(beats, isEnd) : behind;
    }
    case 'in_tool':
      return tools.length > 0 ? insideTool(beats) : behindWords(beats, Number.POSITIVE_INFINITY);
    case 'behind_tool':
      return tools.length > 0 ? behindTools(beats) : behindWords(beats, Number.POSITIVE_INFINITY);
  }
}
