/**
 * - `frame`: one whole frame, its blank line included, with the number of its lines that are not blank.
 * - `blank`: a run of blank lines, each a frame of its own without a line; `lines` tells how many.
 * - `large`: the first bytes of a frame that grows beyond the bound, as many as the bound says. `rest`: what follows of
 *   it.
 */
export type PieceKind = 'frame' | 'blank' | 'large' | 'rest';

/** Called for each piece in order; the piece is `bytes` from `start` to `end`. */
export type PieceSink = (bytes: Uint8Array, start: number, end: number, kind: PieceKind, lines: number) => void;

/** What is left when the body has ended: the bytes of a frame whose blank line never came. */
export type Remainder = { readonly bytes: Uint8Array; readonly isLargeOpen: boolean };

export interface FrameSplitter {
  push(chunk: Uint8Array, sink: PieceSink): void;
  end(): Remainder;
  /** Of a frame whose end has not come yet. */
  readonly heldBytes: number;
}

const NOTHING = new Uint8Array(0);

/**
 * Finds the frames of an event stream in its bytes. Lines end in LF, CR or CRLF and nothing else. A frame that lies in
 * one chunk is given out without a copy. What comes out does not depend on how the bytes were cut: a frame ends with
 * the first byte that makes its last line blank, so that the LF of a CRLF there stands in front of the next frame,
 * whether both came in one read or not. Then no frame has to wait for a byte that may never come.
 */
export function createFrameSplitter(maxFrameBytes: number): FrameSplitter {
  return new Splitter(maxFrameBytes);
}

class Splitter implements FrameSplitter {
  readonly #maxFrameBytes: number;
  #held = NOTHING;
  #heldBytes = 0;
  /** Lines of the current frame that are not blank, the unfinished one left out. */
  #lines = 0;
  #lineHasBytes = false;
  /** The last byte was a CR: an LF now belongs to it. */
  #isAfterCr = false;
  #isLargeOpen = false;

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  push(chunk: Uint8Array, sink: PieceSink): void {
    const hasCr = this.#isAfterCr || chunk.includes(0x0d);
    let start = 0;
    let pos = 0;
    for (;;) {
      if (this.#isAfterCr && pos < chunk.length) {
        this.#isAfterCr = false;
        if (chunk[pos] === 0x0a) pos++;
      }
      const eol = hasCr ? lineEnd(chunk, pos) : chunk.indexOf(0x0a, pos);
      if (eol < 0) break;
      const isBlank = eol === pos && !this.#lineHasBytes;
      if (!isBlank) this.#lines++;
      this.#lineHasBytes = false;
      this.#isAfterCr = hasCr && chunk[eol] === 0x0d;
      pos = eol + 1;
      if (isBlank) {
        pos = this.#endFrame(chunk, start, pos, sink);
        start = pos;
      }
    }
    if (pos < chunk.length) this.#lineHasBytes = true;
    this.#keepRest(chunk, start, sink);
  }

  end(): Remainder {
    return { bytes: this.#release(), isLargeOpen: this.#isLargeOpen };
  }

  /** Behind a blank line: the end of a frame, or nothing but blanks. Gives the place behind what was taken. */
  #endFrame(chunk: Uint8Array, start: number, end: number, sink: PieceSink): number {
    const isEmpty = this.#lines === 0 && this.#heldBytes === 0 && !this.#isLargeOpen;
    if (isEmpty) return this.#takeBlanks(chunk, start, end, sink);
    this.#finishFrame(chunk, start, end, sink);
    return end;
  }

  /**
   * A blank line that ends at `pos`, and those behind it, in one piece: millions of them cost no more than their bytes.
   */
  #takeBlanks(chunk: Uint8Array, start: number, pos: number, sink: PieceSink): number {
    let end = pos;
    let blanks = 1;
    for (let at = pos; ; ) {
      if (this.#isAfterCr && chunk[at] === 0x0a) at++;
      const c = chunk[at++];
      if (c !== 0x0a && c !== 0x0d) break;
      this.#isAfterCr = c === 0x0d;
      blanks++;
      end = at;
    }
    sink(chunk, start, end, 'blank', blanks);
    return end;
  }

  #finishFrame(chunk: Uint8Array, start: number, end: number, sink: PieceSink): void {
    if (this.#isLargeOpen) {
      this.#isLargeOpen = false;
      sink(chunk, start, end, 'rest', 0);
    } else if (this.#heldBytes + end - start > this.#maxFrameBytes) {
      this.#keep(chunk, start, end);
      this.#giveLarge(sink);
    } else if (this.#heldBytes === 0) sink(chunk, start, end, 'frame', this.#lines);
    else {
      this.#keep(chunk, start, end);
      const bytes = this.#release();
      sink(bytes, 0, bytes.length, 'frame', this.#lines);
    }
    this.#lines = 0;
  }

  #keepRest(chunk: Uint8Array, start: number, sink: PieceSink): void {
    if (start === chunk.length) return;
    if (this.#isLargeOpen) sink(chunk, start, chunk.length, 'rest', 0);
    else {
      this.#keep(chunk, start, chunk.length);
      if (this.#heldBytes <= this.#maxFrameBytes) return;
      this.#giveLarge(sink);
      this.#isLargeOpen = true;
    }
  }

  #giveLarge(sink: PieceSink): void {
    const bytes = this.#release();
    sink(bytes, 0, this.#maxFrameBytes, 'large', this.#lines);
    if (bytes.length > this.#maxFrameBytes) sink(bytes, this.#maxFrameBytes, bytes.length, 'rest', 0);
  }

  #keep(chunk: Uint8Array, start: number, end: number): void {
    const needed = this.#heldBytes + end - start;
    if (needed > this.#held.length) {
      const larger = new Uint8Array(Math.max(needed, this.#held.length * 2, 256));
      larger.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = larger;
    }
    this.#held.set(chunk.subarray(start, end), this.#heldBytes);
    this.#heldBytes = needed;
  }

  /** Who was given a frame keeps its bytes: the buffer is never written to again. */
  #release(): Uint8Array {
    const bytes = this.#held.subarray(0, this.#heldBytes);
    this.#held = NOTHING;
    this.#heldBytes = 0;
    return bytes;
  }
}

function lineEnd(bytes: Uint8Array, pos: number): number {
  for (let at = pos; at < bytes.length; at++) if (bytes[at] === 0x0a || bytes[at] === 0x0d) return at;
  return -1;
}
