const BLANK = 0x20;
/** Of a polynomial over the units of a piece, modulo 2^32: any odd number. */
const BASE = 0x2c1b3c6d;
const MIX = 0x85ebca6b;
/** A table has so many places for each piece, so that a search in it is mostly over at the first. */
const ROOM = 4;
/** Places that one search looks at, and pieces that only seemed to be there: no input makes a search longer. */
const MAX_STEPS = 32;
const MAX_MISTAKES = 4096;
const EMPTY = -1;

/** The pieces by their hashes. A piece without a place, or one that stands elsewhere already, is not in `slots`. */
type Table = {
  readonly pieces: Uint16Array;
  readonly size: number;
  readonly hashes: Int32Array;
  /** Of each piece the first that is the same. */
  readonly firsts: Int32Array;
  readonly slots: Int32Array;
  readonly shift: number;
  /** 1: it is there. */
  readonly found: Uint8Array;
};

const slotOf = ({ shift }: Table, hash: number): number => Math.imul(hash, MIX) >>> shift;

function hashOf(pieces: Uint16Array, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, BASE) + (pieces[at] as number)) | 0;
  return hash;
}

function isSame(pieces: Uint16Array, size: number, a: number, b: number): boolean {
  for (let n = 0; n < size; n++) if (pieces[a * size + n] !== pieces[b * size + n]) return false;
  return true;
}

function makeTable(pieces: Uint16Array, size: number): Table {
  const count = Math.floor(pieces.length / size);
  const bits = Math.max(4, 32 - Math.clz32(count * ROOM));
  const table: Table = {
    pieces,
    size,
    hashes: new Int32Array(count),
    firsts: new Int32Array(count),
    slots: new Int32Array(1 << bits).fill(EMPTY),
    shift: 32 - bits,
    found: new Uint8Array(count),
  };
  for (let piece = 0; piece < count; piece++) place(table, piece);
  return table;
}

function place(table: Table, piece: number): void {
  const { pieces, size, hashes, firsts, slots, found } = table;
  const hash = hashOf(pieces, piece * size, (piece + 1) * size);
  hashes[piece] = hash;
  firsts[piece] = piece;
  const mask = slots.length - 1;
  let slot = slotOf(table, hash);
  for (let step = 0; step < MAX_STEPS; step++, slot = (slot + 1) & mask) {
    const other = slots[slot] as number;
    if (other === EMPTY) {
      slots[slot] = piece;
      return;
    }
    if (hashes[other] === hash && isSame(pieces, size, piece, other)) {
      firsts[piece] = other;
      return;
    }
  }
  // Nobody writes such a text by accident. What can't be looked for is taken to be there.
  found[piece] = 1;
}

/** The last units that were read, the oldest of them at `oldest`. */
function isLast({ pieces, size }: Table, piece: number, last: Uint16Array, oldest: number): boolean {
  for (let n = 0; n < size; n++) {
    const at = oldest + n;
    if (last[at < size ? at : at - size] !== pieces[piece * size + n]) return false;
  }
  return true;
}

/** Reads the text once, with its last `size` units and their hash at hand. */
function scan(table: Table, whole: string, isJoined: boolean): void {
  const { size, hashes, slots, found } = table;
  const mask = slots.length - 1;
  let top = 1;
  for (let n = 0; n < size; n++) top = Math.imul(top, BASE);
  const last = new Uint16Array(size).fill(BLANK);
  let oldest = 0;
  let hash = hashOf(last, 0, size);
  let mistakes = 0;
  for (let at = 0; at <= whole.length; at++) {
    const next = at < whole.length ? whole.charCodeAt(at) : BLANK;
    if (isJoined && next === BLANK) continue;
    hash = (Math.imul(hash, BASE) + next - Math.imul(last[oldest] as number, top)) | 0;
    last[oldest] = next;
    oldest = oldest + 1 === size ? 0 : oldest + 1;
    let slot = slotOf(table, hash);
    for (let step = 0; step < MAX_STEPS; step++, slot = (slot + 1) & mask) {
      const piece = slots[slot] as number;
      if (piece === EMPTY) break;
      if (hashes[piece] !== hash || found[piece] === 1) continue;
      // Two texts have one hash by accident a few times in a lifetime, and else because somebody wants it.
      if (mistakes >= MAX_MISTAKES || isLast(table, piece, last, oldest)) found[piece] = 1;
      else mistakes++;
    }
  }
}

/**
 * Which of some pieces stand in a long text; 1 for each that does. `pieces` has them one behind the other, each `size`
 * units long. In front of the text and behind it stands a blank. `isJoined`: the text is read as if it had no blanks, and
 * no piece may have one. The short side is kept in a table and the long one is read once, whatever both are made of: time
 * by the sum of their lengths, memory by that of the pieces. Errs to 1, and only on texts that are made to mislead it.
 */
export function findPieces(pieces: Uint16Array, size: number, whole: string, isJoined = false): Uint8Array {
  const table = makeTable(pieces, size);
  if (pieces.length > 0) scan(table, whole, isJoined);
  return table.found.map((is, piece) => is | (table.found[table.firsts[piece] as number] as number));
}
