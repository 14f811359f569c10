import { readEvent, readFlat, writeEvent } from './event.ts';
import {
  errorTypeIn,
  type IsOwnFile,
  isAmongFrames,
  isErrorType,
  isFrame,
  isPlainFrame,
  openingOf,
  ownFrameIn,
  typeOfOpening,
} from './traceback.ts';

/** Takes a log line by line and gives the lines that may leave. */
export type Sanitizer = {
  /** A line without its end; null: it was too long to be kept. */
  push(line: string | null): readonly string[];
  /** What there is still to say when the log ends. */
  end(): readonly string[];
};

/** A traceback under way. Nothing of it is kept but its type and place. */
type Traceback = {
  readonly type: string;
  readonly frame: string | null;
  /** So many of its lines are still to come that are its message, whatever they look like. */
  readonly message: number;
  /** Its last line names the type. */
  readonly isNamedLast: boolean;
  readonly lines: number;
};

/** So far above its first frame the head of a traceback is looked for: messages have lines. */
const MAX_HEAD_LINES = 32;
const MAX_TRACEBACK_LINES = 1_000;

/**
 * Passes events, each made anew of what the schema knows. Of a traceback it passes the type and the first frame that is
 * ours, of every other run of lines how many they were: `{"omitted_lines":3}`. It keeps no text of what it leaves out. What it has
 * passed once, it passes again.
 */
export function createSanitizer(isOwnFile: IsOwnFile): Sanitizer {
  let omitted = 0;
  /** The last line that spoke of an error, and how many lines were omitted from it on. */
  let head: { readonly type: string; lines: number } | null = null;
  let traceback: Traceback | null = null;

  const flush = (): readonly string[] => {
    const lines = [
      ...(omitted === 0 ? [] : [JSON.stringify({ omitted_lines: omitted })]),
      ...(traceback === null ? [] : [writeTraceback(traceback)]),
    ];
    omitted = 0;
    head = null;
    traceback = null;
    return lines;
  };
  const open = (opened: Traceback): readonly string[] => {
    const before = flush();
    traceback = opened;
    return before;
  };
  const omit = (line: string | null): readonly string[] => {
    const before = traceback === null ? NOTHING : flush();
    omitted += 1;
    if (head !== null && ++head.lines > MAX_HEAD_LINES) head = null;
    const type = line === null ? null : errorTypeIn(line);
    if (type !== null) head = { type, lines: 1 };
    return before;
  };
  /** The first frame behind a head: what stands between them is its message. */
  const openByFrame = (line: string): readonly string[] => {
    omitted -= head?.lines ?? 0;
    const type = head?.type ?? 'Error';
    return open({ type, frame: ownFrameIn(line, isOwnFile), message: 0, isNamedLast: false, lines: 1 });
  };
  const pushText = (line: string): readonly string[] => {
    const opening = openingOf(line);
    if (opening !== undefined && (traceback === null || !isAmongFrames(line))) {
      const { message, isNamedLast } = opening;
      return open({ type: typeOfOpening(opening, line), frame: null, message, isNamedLast, lines: 1 });
    }
    if (traceback === null) {
      const isFirst = isPlainFrame(line) || (head !== null && isFrame(line));
      return isFirst ? openByFrame(line) : omit(line);
    }
    const next = growTraceback(traceback, line, isOwnFile);
    if (next === null) return omit(line);
    traceback = next.traceback;
    return next.isOver ? flush() : NOTHING;
  };

  return {
    push(line) {
      const passed = line === null ? null : readPassed(line, isOwnFile);
      if (typeof passed === 'string') return [...flush(), passed];
      if (passed === null) return line === null ? omit(null) : pushText(line);
      const before = traceback === null ? NOTHING : flush();
      omitted += passed.omitted;
      return before;
    },
    end: flush,
  };
}

const NOTHING: readonly string[] = [];

/** A traceback with one more line; null: the line is none of it. */
function growTraceback(
  traceback: Traceback,
  line: string,
  isOwnFile: IsOwnFile,
): { readonly traceback: Traceback; readonly isOver: boolean } | null {
  const { frame, message, isNamedLast, lines } = traceback;
  if (lines >= MAX_TRACEBACK_LINES) return null;
  const longer = { ...traceback, lines: lines + 1 };
  if (message > 0) return { traceback: { ...longer, message: message - 1 }, isOver: false };
  // Go has the place of a function under its name, so that any line may hold it.
  if (isFrame(line) || isAmongFrames(line))
    return { traceback: { ...longer, frame: frame ?? ownFrameIn(line, isOwnFile) }, isOver: false };
  const type = isNamedLast ? errorTypeIn(line) : null;
  return type === null ? null : { traceback: { ...longer, type }, isOver: true };
}

const writeTraceback = ({ type, frame }: Pick<Traceback, 'type' | 'frame'>): string =>
  JSON.stringify({ event: 'traceback', type, ...(frame === null ? {} : { frame }) });

/** A line that may leave; or a count of lines that another sanitizer has left out; null: neither. */
function readPassed(line: string, isOwnFile: IsOwnFile): string | { readonly omitted: number } | null {
  const event = readEvent(line);
  if (event !== null) return writeEvent(event);
  const members = readFlat(line);
  if (members === null) return null;
  const keys = [...members.keys()].join(' ');
  const omitted = members.get('omitted_lines');
  if (keys === 'omitted_lines') return isCount(omitted) ? { omitted } : null;
  const { event: name, type, frame = null } = Object.fromEntries(members);
  if (name !== 'traceback' || !/^event type(?: frame)?$/.test(keys)) return null;
  if (typeof type !== 'string' || !isErrorType(type)) return null;
  if (frame === null) return writeTraceback({ type, frame });
  if (typeof frame !== 'string' || ownFrameIn(frame, isOwnFile) !== frame) return null;
  return writeTraceback({ type, frame });
}

/** More lines than any log has. */
const MAX_COUNT = 1_000_000_000_000;

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_COUNT;
