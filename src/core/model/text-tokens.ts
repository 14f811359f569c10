/**
 * What kinds of letters a text is made of, each with how many code units of a run of them make one token. Within one kind
 * words fall into pieces of about the same length.
 */
const KINDS = [
  ['lower', 8],
  ['upper', 3],
  ['digit', 3],
  ['space', 16],
  ['line', 4],
  ['mark', 2],
  ['accented', 3],
  ['foreign', 2],
  ['wide', 1],
] as const;

type Kind = (typeof KINDS)[number][0];

const UNITS: readonly number[] = KINDS.map(([, units]) => units);

const numberOf = (kind: Kind): number => KINDS.findIndex(([name]) => name === kind);

const [LOWER, UPPER, SPACE, WIDE] = (['lower', 'upper', 'space', 'wide'] as const).map(numberOf) as [
  number,
  number,
  number,
  number,
];

/** Ends of ranges of code units, each with the kind of what is below it and not below the one before. */
const RANGES: readonly (readonly [end: number, kind: Kind])[] = [
  [0x09, 'mark'],
  [0x0a, 'space'],
  [0x0e, 'line'],
  [0x20, 'mark'],
  [0x21, 'space'],
  [0x30, 'mark'],
  [0x3a, 'digit'],
  [0x41, 'mark'],
  [0x5b, 'upper'],
  [0x61, 'mark'],
  [0x7b, 'lower'],
  [0xc0, 'mark'],
  [0x250, 'accented'],
  // Alphabets whose words are cut into short pieces; Hangul and all behind the alphabets go letter by letter.
  [0x1100, 'foreign'],
  [0x1200, 'wide'],
  [0x2e80, 'foreign'],
];

const kindOf = (unit: number): number => {
  const kind = RANGES.find(([end]) => unit < end)?.[1];
  return kind === undefined ? WIDE : numberOf(kind);
};

/** Looked up: this is asked for each letter of a conversation. */
const KNOWN = Uint8Array.from({ length: 0x2e80 }, (_, unit) => kindOf(unit));

/** A single blank is a part of the next word. */
const costOf = (kind: number, length: number): number =>
  kind === SPACE && length === 1 ? 0 : Math.ceil(length / (UNITS[kind] ?? 1));

/**
 * About how many tokens a text is, by the way in which all tokenizers cut: words, numbers, runs of signs. One pass, without
 * any vocabulary: English prose comes out near four characters a token, code a little above three, Chinese near one.
 */
export function textTokens(text: string): number {
  let tokens = 0;
  let kind = SPACE;
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const next = KNOWN[text.charCodeAt(i)] ?? WIDE;
    // A capital begins the word that it stands before.
    if (next === kind || (next === LOWER && kind === UPPER && length === 1)) length++;
    else {
      if (length > 0) tokens += costOf(kind, length);
      length = 1;
    }
    kind = next;
  }
  return length > 0 ? tokens + costOf(kind, length) : tokens;
}
