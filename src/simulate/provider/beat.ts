/**
 * What a part of a streamed answer is. `open` and `close` are of blocks and items; `call` opens a tool call, `args` is a
 * piece of one, `call_end` completes it. `finish` tells how the answer ended, `mark` is the protocol's end mark. `aside`
 * counts for nothing (a comment, noise); `fault` is what a fault puts in.
 */
export type BeatKind =
  | 'start'
  | 'aside'
  | 'open'
  | 'reasoning'
  | 'word'
  | 'call'
  | 'args'
  | 'call_end'
  | 'close'
  | 'finish'
  | 'usage'
  | 'mark'
  | 'fault';

/** One frame of a streamed answer, written only when it is due. */
export type Beat = {
  readonly kind: BeatKind;
  /** A reader of the answer would see something. */
  readonly isOutput: boolean;
  /** After what came before it. */
  readonly ms: number;
  /** The frame as text; `sequence`: its number among those that count. */
  readonly say: (sequence: number) => string;
};

const OUTPUTS: ReadonlySet<BeatKind> = new Set(['reasoning', 'word', 'call']);

export const beat = (kind: BeatKind, say: Beat['say'], isOutput = OUTPUTS.has(kind)): Beat => ({
  kind,
  isOutput,
  ms: 0,
  say,
});

/** Beats that take the time of a word. */
const TIMED: ReadonlySet<BeatKind> = new Set(['reasoning', 'word', 'call', 'args']);
const ENDS: ReadonlySet<BeatKind> = new Set(['finish', 'usage', 'mark']);

export const isEnd = ({ kind }: Beat): boolean => ENDS.has(kind);

export type Pace = {
  readonly firstWordMs: number;
  readonly wordMs: number;
  readonly pings: number;
  /** Pings come before all else. */
  readonly isLate: boolean;
};

/**
 * Gives each beat its moment and puts the pings in: the first word (of whatever kind; the end, where there is none) comes
 * `firstWordMs` behind the start, each further one `wordMs` behind the last.
 */
export function paceBeats(beats: readonly Beat[], ping: Beat, { firstWordMs, wordMs, pings, isLate }: Pace): Beat[] {
  const gap = Math.floor(firstWordMs / (pings + 1));
  const paced: Beat[] = [];
  const addPings = (): void => {
    for (let i = 0; i < pings; i++) paced.push({ ...ping, ms: gap });
  };
  let isBegun = false;
  let hasPinged = isLate;
  if (isLate) addPings();
  for (const each of beats) {
    if (!hasPinged && each.kind !== 'start' && each.kind !== 'aside') {
      hasPinged = true;
      addPings();
    }
    const isTimed: boolean = TIMED.has(each.kind) || (!isBegun && isEnd(each));
    paced.push(isTimed ? { ...each, ms: isBegun ? wordMs : firstWordMs - pings * gap } : each);
    isBegun ||= isTimed;
  }
  return paced;
}

/** How long the words of an answer take that comes in one piece. */
export const spokenMs = (beats: readonly Beat[], { firstWordMs, wordMs }: Pace): number =>
  firstWordMs + wordMs * Math.max(0, beats.filter(({ kind }) => TIMED.has(kind)).length - 1);
