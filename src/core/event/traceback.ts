import { isProse } from '../redact/looks-random.ts';

/** Whether a path like `src/engine/relay.ts` is a file of this product. */
export type IsOwnFile = (path: string) => boolean;

/** What begins a traceback by itself, before any frame. */
type Opening = {
  readonly pattern: RegExp;
  /** The type, where the line does not name it. */
  readonly type: string;
  /** So many lines behind it are its message. */
  readonly message: number;
  /** The line that names the type is the last one. */
  readonly isNamedLast: boolean;
};

export const OPENINGS: readonly Opening[] = [
  // Python
  { pattern: /Traceback \(most recent call last\):\s*$/, type: 'Exception', message: 0, isNamedLast: true },
  // Go
  { pattern: /^(?:panic: |fatal error: |goroutine \d{1,9} \[)/, type: 'panic', message: 0, isNamedLast: false },
  // Rust
  { pattern: /^thread '[^']{0,200}' (?:\(\d{1,9}\) )?panicked at /, type: 'panic', message: 1, isNamedLast: false },
  // Java, .NET, PHP
  {
    pattern: /^(?:Exception in thread "|Unhandled exception[.:]|PHP Fatal error: )/,
    type: 'Exception',
    message: 0,
    isNamedLast: false,
  },
];

/** Frames of V8, Java and .NET: nothing else looks like them. */
const PLAIN_FRAME = /^\s{1,40}at \S.{0,500}(?:\)|:\d{1,6}|:line \d{1,6})\s*$/;

/** Frames of Ruby, PHP and Rust, if a line before them spoke of an error. */
const OTHER_FRAME = /^(?:\s{1,40}from \S{1,500}:\d|\s{0,40}#\d{1,4} \S|\s{1,40}\d{1,4}: \S)/;

/** What stands between and behind frames; and all that is indented. */
const AMONG =
  /^(?:\s|$|Caused by: |Suppressed: |\.\.\. \d|stack backtrace:|note: |goroutine \d|created by |exit status \d|\[signal |Node\.js v\d|[}\]]\s*$|Stack trace:|[\w./*()·-]{1,300}\(.{0,500}\)$)/;

export const isPlainFrame = (line: string): boolean => PLAIN_FRAME.test(line);
export const isFrame = (line: string): boolean => isPlainFrame(line) || OTHER_FRAME.test(line);
export const isAmongFrames = (line: string): boolean => AMONG.test(line);
export const openingOf = (line: string): Opening | undefined => OPENINGS.find(({ pattern }) => pattern.test(line));

/** The type that the line of an opening names itself, or the one for its kind. */
export const typeOfOpening = ({ pattern, type }: Opening, line: string): string =>
  errorTypeIn(line.replace(pattern, '')) ?? type;

const TYPE =
  /(?<![A-Za-z0-9_$])(?:[A-Z][A-Za-z]{0,50})?(?:Error|Exception|Panic|Interrupt|Exit|Failure)(?![A-Za-z0-9_$])/;
const MAX_HEAD = 300;

/** The type of an error that a line speaks of; `Error` for one that is not made of words, which may be a key. Null: none. */
export function errorTypeIn(line: string): string | null {
  const type = TYPE.exec(line.slice(0, MAX_HEAD))?.[0];
  if (type === undefined) return null;
  return isErrorType(type) ? type : 'Error';
}

export const isErrorType = (text: string): boolean =>
  text === 'panic' || (/^[A-Z][A-Za-z]{3,59}$/.test(text) && isProse(text.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')));

const PATH = /(?<![\w.-])(?=((?:src|dist)\/(?:[a-z0-9-]+\/)*[a-z0-9-]+\.(?:ts|js|mjs)):(\d{1,5})(?!\d))/g;
const MAX_FRAME = 600;

/** `src/engine/relay.ts:12`, if a frame is in a file of ours; null: it is not. */
export function ownFrameIn(line: string, isOwnFile: IsOwnFile): string | null {
  if (line.length > MAX_FRAME || line.includes('node_modules')) return null;
  for (const [, path = '', number = ''] of line.replaceAll('\\', '/').matchAll(PATH))
    if (isOwnFile(path)) return `${path}:${Number(number)}`;
  return null;
}
