/** Cuts bytes into lines, whatever they are, and keeps no more than one line of bounded length. */
export type LineSplitter = {
  /** The lines that these bytes end, each without its end (`\n` or `\r\n`); null for one that is too long to be kept. */
  push(bytes: Uint8Array): readonly (string | null)[];
  /** The last line, if it has no end. */
  end(): readonly (string | null)[];
};

const NEWLINE = 10;

/**
 * Each byte becomes one character, so that no sequence of bytes is invalid and no two of them look like one character of
 * ASCII, which is all that an event is made of.
 */
export function createLineSplitter(maxLength: number): LineSplitter {
  let rest = '';
  let isTooLong = false;

  const add = (bytes: Uint8Array): void => {
    isTooLong ||= rest.length + bytes.length > maxLength;
    rest = isTooLong ? '' : rest + decode(bytes);
  };
  const take = (): string | null => {
    const line = isTooLong ? null : rest.replace(/\r$/, '');
    rest = '';
    isTooLong = false;
    return line;
  };
  return {
    push(bytes) {
      const lines: (string | null)[] = [];
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
        add(bytes.subarray(from, to));
        lines.push(take());
        from = to + 1;
      }
      add(bytes.subarray(from));
      return lines;
    },
    end: () => (rest === '' && !isTooLong ? [] : [take()]),
  };
}

/** At most so many arguments are passed at once. */
const SLICE = 4_096;

function decode(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return text;
}
