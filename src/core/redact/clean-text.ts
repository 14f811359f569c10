import { readByteLists } from './read-byte-lists.ts';
import { asWritten, cutOut, type Range, readOn, writtenRange } from './reading.ts';
import { findAnnounced, findRuns } from './secret-shapes.ts';
import { undoEscapes } from './undo-escapes.ts';

export type CleanOptions = {
  /** Longest result in UTF-16 units, the ellipsis included. Default 300. */
  readonly maxLength?: number;
  /** Takes out secrets that are known by value, before anything is guessed by shape (`createScrubber`). */
  readonly scrub?: (text: string) => string;
};

const MAX_LENGTH = 300;
/** Nothing behind this is looked at: a result is short, and hostile texts may be megabytes long. */
const MAX_INPUT = 8192;

type Finder = (text: string) => readonly Range[];

const findSecrets: Finder = (text) => [...findAnnounced(text), ...findRuns(text)];

/** Line breaks and control characters become spaces; what hides or reorders text goes; halves of characters are shown. */
function fold(text: string): string {
  return text
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, Math.max(0, maxLength - 1));
  return `${cut.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** What is found once escapes are undone, and lists of bytes are read, is cut out of what was written. */
function clean(text: string, find: Finder, scrub: CleanOptions['scrub']): string {
  const folded = fold(text);
  const written = scrub === undefined ? folded : scrub(folded);
  const read = undoEscapes(written);
  const readings = [
    read,
    ...(read.from === null ? [] : [asWritten(written)]),
    ...readByteLists(read.text).map((listed) => readOn(read, listed)),
  ];
  const ranges = readings.flatMap((reading) => find(reading.text).map((range) => writtenRange(reading, range)));
  return cutOut(written, ranges, '[secret]');
}

/**
 * Text of strangers made fit for errors, logs and records: one line, at most `maxLength` long, without what looks like a
 * secret. Total: any string gives a string, and cleaning twice changes nothing more than cleaning once.
 */
export function cleanText(text: string, { maxLength = MAX_LENGTH, scrub }: CleanOptions = {}): string {
  return shorten(clean(text.slice(0, MAX_INPUT), findSecrets, scrub), maxLength);
}

const MAX_NAME_LENGTH = 200;

/**
 * The same for names and ids that strangers chose: long runs of letters and digits are what ids are made of, so that only
 * known secrets and keys that announce themselves are taken out.
 */
export function cleanName(text: string, { maxLength = MAX_NAME_LENGTH, scrub }: CleanOptions = {}): string {
  return shorten(clean(text.slice(0, MAX_INPUT), findAnnounced, scrub), maxLength);
}
