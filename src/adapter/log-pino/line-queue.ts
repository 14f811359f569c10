/** Lines that wait to be written, within a bound. */
export type LineQueue = {
  /** False: there is no room. */
  push(line: Buffer): boolean;
  readonly isEmpty: boolean;
  /** The first of them is out in part. */
  readonly isCut: boolean;
  /** The next bytes to be written, and how many lines they are of. */
  next(): { readonly bytes: Buffer; readonly lines: number };
  /** So many bytes are out, or given up. */
  forward(bytes: number): void;
  /** Gives up all; how many lines they were. */
  clear(): number;
};

/** What one write takes at most, save for a line that is longer. */
const MAX_WRITE = 64 * 1024;

export function createLineQueue(maxBytes: number): LineQueue {
  let lines: Buffer[] = [];
  let size = 0;
  /** Bytes of the first line that are out. */
  let taken = 0;

  const countNext = (): number => {
    let count = 0;
    for (let length = 0; count < lines.length && (count === 0 || length < MAX_WRITE); count++)
      length += lengthOf(lines[count]);
    return count;
  };

  return {
    push(line) {
      if (size + line.length > maxBytes) return false;
      lines.push(line);
      size += line.length;
      return true;
    },
    get isEmpty() {
      return lines.length === 0;
    },
    get isCut() {
      return taken > 0;
    },
    next() {
      const count = countNext();
      const [first] = lines;
      const bytes = count === 1 && first !== undefined ? first : Buffer.concat(lines.slice(0, count));
      return { bytes: bytes.subarray(taken), lines: count };
    },
    forward(bytes) {
      let left = taken + bytes;
      let count = 0;
      while (count < lines.length && left >= lengthOf(lines[count])) left -= lengthOf(lines[count++]);
      lines.splice(0, count);
      taken = left;
      size -= bytes;
    },
    clear() {
      const count = lines.length;
      lines = [];
      size = 0;
      taken = 0;
      return count;
    },
  };
}

const lengthOf = (line: Buffer | undefined): number => line?.length ?? 0;
