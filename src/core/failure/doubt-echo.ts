import { isRepeated } from '../redact/index.ts';
import { classify, type Judgement, judge } from './classify.ts';
import type { Failure } from './failure.ts';
import { normaliseMessage } from './phrase.ts';
import type { FailureSignal } from './signal.ts';
import type { ClassifierRow } from './table.ts';

/** What a request says. */
export type RequestText = {
  /** Its words, as `foldWords` makes them. */
  readonly text: string;
  /** The same as it came: bytes, in one or several parts. */
  readonly written: readonly ArrayLike<number>[];
  /** Nothing of it is missing. */
  readonly isWhole: boolean;
};

type Trace = Pick<Failure, 'scope' | 'hold' | 'weight' | 'toldDelayMs' | 'feature'>;

/** What nobody is told of: the request goes on as the table says, and no other request hears of it. */
const NO_TRACE: Trace = { scope: 'none', hold: null, weight: 0, toldDelayMs: null, feature: null };

const traceOf = ({ scope, hold, weight, toldDelayMs, feature }: Judgement): Trace => ({
  scope,
  hold,
  weight,
  toldDelayMs,
  feature,
});

const leavesTrace = ({ hold, weight, feature }: Failure): boolean => hold !== null || weight > 0 || feature !== null;
const isSameKind = (a: Judgement, b: Judgement): boolean => a.row === b.row && a.feature === b.feature;
const isSame = (a: Judgement, b: Judgement): boolean => isSameKind(a, b) && a.toldDelayMs === b.toldDelayMs;

/** So many times a message may say what it says, before it is taken for an echo. */
const MAX_PHRASES = 4;

/**
 * Whether every phrase that makes a message what it is stands in the request. Phrases are found by taking words away from
 * both ends for as long as the rest says the same.
 */
function isSaidByRequest(message: string, text: string, saysSame: (part: string) => boolean): boolean {
  let words = normaliseMessage(message).split(' ');
  for (let n = 0; n < MAX_PHRASES && saysSame(words.join(' ')); n++) {
    const [from, to] = narrow(words, (part) => saysSame(part.join(' ')));
    if (!isRepeated(words.slice(from, to).join(' '), text)) return false;
    words = [...words.slice(0, from), '…', ...words.slice(to)];
  }
  return true;
}

/** The shortest part of a list that still holds, by halving: first its end, then its beginning. */
function narrow(words: readonly string[], holds: (part: readonly string[]) => boolean): readonly [number, number] {
  let to = words.length;
  for (let low = 1; low < to; ) {
    const middle = (low + to) >> 1;
    if (holds(words.slice(0, middle))) to = middle;
    else low = middle + 1;
  }
  let from = 0;
  for (let high = to - 1; from < high; ) {
    const middle = (from + high + 1) >> 1;
    if (holds(words.slice(middle, to))) from = middle;
    else high = middle - 1;
  }
  return [from, to];
}

const withTrace = (failure: Failure, trace: Trace): Failure =>
  failure.feature === null || trace.feature !== null
    ? { ...failure, ...trace }
    : { ...failure, ...trace, refusedValue: failure.feature };

/**
 * `classify`, for a provider that may repeat its caller. Where only words that stand in the request made the failure what
 * it is, the client may have written them: then it leaves no trace, on holds, circuits and what is known of a target. It
 * may still be true (people paste error messages into prompts), so the request itself goes on by it. A delay in such
 * words is not believed either. Of a request that is not there whole (behind output, or huge) nobody can tell, and
 * words leave no trace at all: what stays is what code and status say.
 */
export function classifyDoubting(
  signal: FailureSignal,
  rows: readonly ClassifierRow[],
  request: () => RequestText,
): Failure {
  const failure = classify(signal, rows);
  const { error } = signal;
  if (error === null || error.message === '' || !leavesTrace(failure)) return failure;
  const from = (message: string): Judgement => judge({ ...signal, error: { ...error, message } }, rows);
  // Mostly a status or a code says it all: a request may be long, and is not searched for nothing.
  const wordless = from('');
  if (isSame(wordless, failure)) return failure;
  const { text, isWhole } = request();
  if (!isWhole) return withTrace(failure, traceOf(wordless));
  if (!isSameKind(wordless, failure)) {
    const isEcho = isSaidByRequest(error.message, text, (part) => isSameKind(from(part), failure));
    if (isEcho) return withTrace(failure, NO_TRACE);
  }
  const isEcho = isSaidByRequest(error.message, text, (part) => from(part).toldDelayMs === failure.toldDelayMs);
  return isEcho ? { ...failure, toldDelayMs: wordless.toldDelayMs } : failure;
}
