/** Texts as one automaton: a state for each of their beginnings, and where the next byte leads from it. */
type Automaton = {
  /** What a byte is to the texts: 0 is none of theirs. */
  readonly classes: Uint8Array;
  readonly width: number;
  /** By state and class the next state. */
  readonly next: Uint32Array;
  /** The longest end of a state's text that is a state too; states stand in `order` behind it. */
  readonly ends: Uint32Array;
  readonly order: readonly number[];
  /** By text the state that it ends in. */
  readonly last: ReadonlyMap<string, number>;
};

function classesOf(texts: Iterable<string>): Pick<Automaton, 'classes' | 'width'> {
  const classes = new Uint8Array(256);
  let width = 1;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const byte = text.charCodeAt(at);
      if (classes[byte] === 0) classes[byte] = width++;
    }
  }
  return { classes, width };
}

function createAutomaton(texts: ReadonlySet<string>): Automaton {
  const { classes, width } = classesOf(texts);
  const most = Array.from(texts).reduce((sum, { length }) => sum + length, 1);
  const next = new Uint32Array(most * width);
  const last = new Map<string, number>();
  let states = 1;
  for (const text of texts) {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const step = state * width + (classes[text.charCodeAt(at)] as number);
      if (next[step] === 0) next[step] = states++;
      state = next[step] as number;
    }
    last.set(text, state);
  }
  return { classes, width, next, last, ...link(next, width, states) };
}

/** Where a text does not go on, its longest end that is the beginning of one does. */
function link(next: Uint32Array, width: number, states: number): Pick<Automaton, 'ends' | 'order'> {
  const ends = new Uint32Array(states);
  const order = [0];
  for (let n = 0; n < order.length; n++) {
    const state = order[n] as number;
    for (let way = 0; way < width; way++) {
      const there = next[state * width + way] as number;
      const instead = state === 0 ? 0 : (next[(ends[state] as number) * width + way] as number);
      if (there === 0) next[state * width + way] = instead;
      else {
        ends[there] = instead;
        order.push(there);
      }
    }
  }
  return { ends, order };
}

/**
 * Which of some names of ASCII characters stand in a text, given as bytes (UTF-8, in one or several parts). It is read
 * once, one step for each byte, whatever it and the names are made of.
 */
export function findNames(names: ReadonlySet<string>, written: readonly ArrayLike<number>[]): ReadonlySet<string> {
  const { classes, width, next, ends, order, last } = createAutomaton(names);
  const isSeen = new Uint8Array(ends.length);
  for (const part of written) {
    let state = 0;
    for (let at = 0; at < part.length; at++) {
      state = next[state * width + (classes[part[at] as number] as number)] as number;
      isSeen[state] = 1;
    }
  }
  // Where a text was, its ends were too.
  for (const state of order.toReversed()) if (isSeen[state] === 1) isSeen[ends[state] as number] = 1;
  return new Set(Array.from(names).filter((name) => isSeen[last.get(name) ?? 0] === 1));
}
