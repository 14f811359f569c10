import { FEATURES } from '../model/capability.ts';
import { cleanText } from '../redact/clean-text.ts';
import { isErrorCode } from './error-words.ts';
import type { Failure, HoldKind } from './failure.ts';
import { type Effect, matchesClause, ROUNDS, type SignalView, viewSignal } from './matcher.ts';
import type { Outcome } from './outcome.ts';
import { type BudgetTrust, readToldDelay } from './retry-after.ts';
import type { FailureSignal } from './signal.ts';
import { type ClassifierRow, FAILURE_TABLE } from './table.ts';

/** What a provider's own word must be, to go on to a client. */
const SAFE_WORD = /^[A-Za-z0-9_.[\]-]{1,64}$/;

const safeWord = (word: string | null | undefined): string | null =>
  typeof word === 'string' && SAFE_WORD.test(word) ? word : null;

/** Behind output nothing tells an echo any more: a word that has room for one is told if errors are made of it. */
const MAX_LATE_WORD = 23;

function tellableWord(word: string | null | undefined, { committed }: FailureSignal): string | null {
  const safe = safeWord(word);
  return safe === null || !committed || safe.length <= MAX_LATE_WORD || isErrorCode(safe) ? safe : null;
}

/** Holds for which a server's own word counts. */
const TOLD_HOLDS: ReadonlySet<HoldKind> = new Set(['quota', 'rate_limited', 'told_only']);

/** Budgets describe a limit, not an outage: see `BudgetTrust`. */
const BUDGET_TRUST: { readonly [O in Outcome]?: BudgetTrust } = {
  rate_limited: 'all',
  quota_exhausted: 'spent',
  billing: 'spent',
  overloaded: 'spent',
};

/** Outcomes that speak of the request: the provider's words alone are what the caller needs. */
const OF_REQUEST: ReadonlySet<Outcome> = new Set([
  'bad_request',
  'context_length',
  'content_policy',
  'unsupported_capability',
  'incompatible_history',
  'payload_too_large',
]);

type Match = { readonly row: ClassifierRow; readonly effect: Effect };

function findRow(view: SignalView, rows: readonly ClassifierRow[]): Match | null {
  for (const round of ROUNDS) {
    for (const row of rows) {
      const clause = row.match.find((each) => each.by === round && matchesClause(each, view));
      if (clause) return { row, effect: { ...row.effect, ...clause.but } };
    }
  }
  return null;
}

/**
 * A complete refusal: nothing was done, so another send is safe. An error event counts while no item was open; of a
 * 500, 502 or 504 nobody knows what happened before it.
 */
function isRefusal(signal: FailureSignal): boolean {
  const { cause, status } = signal;
  if (signal.committed) return false;
  if (status !== null && status >= 400) {
    const isComplete = cause.kind === 'status' || cause.kind === 'error_body' || cause.kind === 'error_event';
    return isComplete && (status < 500 || status === 503 || status === 529);
  }
  return (cause.kind === 'error_event' || cause.kind === 'error_body') && !signal.anyItem;
}

const FAULT_WORDS: Readonly<Record<string, string>> = {
  incomplete: 'the answer ended before it was complete',
  empty: 'the answer was empty',
  malformed: 'the answer held data that does not parse',
  wrong_content: 'the answer was of a kind that nobody asked for',
  no_output: 'the answer was complete and said nothing',
  no_answer: 'the body held no answer',
};

const CLOCK_WORDS: Readonly<Record<string, string>> = {
  connect: 'no connection',
  headers: 'no response head',
  firstOutput: 'no output',
  idle: 'silence',
  progress: 'no more output',
  whole: 'no complete answer',
};

/** What happened, without the provider's words. */
function describe(signal: FailureSignal): string {
  const { cause, status } = signal;
  switch (cause.kind) {
    case 'error_event':
      return 'error event';
    case 'error_body':
      return `error in a body of status ${status ?? 'none'}`;
    case 'fault':
      return FAULT_WORDS[cause.fault] ?? 'broken answer';
    case 'finish':
      return `the answer ended with "${signal.committed ? (tellableWord(cause.reason, signal) ?? '…') : cause.reason}"`;
    case 'own_fault':
      return `the gateway failed to put the answer into the client's protocol (${cause.words})`;
    case 'transport':
      return `connection: ${cause.error}${cause.detail ? ` (${cause.detail})` : ''}`;
    case 'clock':
      return `${CLOCK_WORDS[cause.clock] ?? 'timeout'} within ${cause.limitMs} ms`;
    default:
      return `status ${status ?? 'none'}`;
  }
}

function reasonOf(signal: FailureSignal, outcome: Outcome): string {
  // Behind output the request is gone, and with it what would tell the provider's words from the client's.
  const isTellable = signal.body !== 'html' && !signal.committed;
  const message = isTellable ? (signal.error?.message ?? '') : '';
  if (OF_REQUEST.has(outcome) && message !== '') return cleanText(message);
  const label = tellableWord(signal.error?.code, signal) ?? tellableWord(signal.error?.type, signal);
  const lead = [describe(signal), label].filter((part) => part !== null).join(', ');
  return cleanText(message === '' ? lead : `${lead}: ${message}`);
}

const REFUSABLE: ReadonlySet<string> = new Set<string>(FEATURES);

type Refusal = Pick<Failure, 'feature' | 'refusedValue'>;

/** A feature that the request did not use is not believed to be refused: it is told, and not remembered. */
function refusalOf({ used }: FailureSignal, { feature = null, refusedValue }: Effect): Refusal {
  const isUsed = feature === null || used === undefined || !REFUSABLE.has(feature) || used.includes(feature);
  if (!isUsed) return { feature: null, refusedValue: feature };
  return refusedValue === undefined ? { feature } : { feature, refusedValue };
}

function toldDelay({ headers, error, at }: FailureSignal, effect: Effect): number | null {
  if (effect.hold === null || !TOLD_HOLDS.has(effect.hold)) return null;
  return readToldDelay(headers, error, at, BUDGET_TRUST[effect.outcome] ?? 'none');
}

/** A failure without the words that tell of it. */
export type Judgement = Omit<Failure, 'reason'>;

/** `classify` without its reason, which costs more than all the rest: for who only compares. */
export function judge(signal: FailureSignal, providerRows: readonly ClassifierRow[] = []): Judgement {
  const view = viewSignal(signal);
  const found = findRow(view, providerRows) ?? findRow(view, FAILURE_TABLE);
  // The table's last row matches everything.
  const { row, effect } = found as Match;
  const keeps = effect.keepsWords === true;
  return {
    row: row.id,
    outcome: effect.outcome,
    component: effect.component,
    onward: effect.onward,
    again: effect.again === 'no_event' ? !signal.anyEvent : effect.again,
    scope: effect.scope,
    hold: effect.hold,
    weight: effect.weight,
    refusal: isRefusal(signal),
    requestShaped: effect.requestShaped ?? false,
    toldDelayMs: toldDelay(signal, effect),
    ...refusalOf(signal, effect),
    ...(effect.refusedParts === undefined ? {} : { refusedParts: effect.refusedParts(view) }),
    status: view.status,
    code: keeps ? tellableWord(signal.error?.code, signal) : null,
    param: keeps ? tellableWord(signal.error?.param, signal) : null,
    type: keeps ? tellableWord(signal.error?.type, signal) : null,
  };
}

/**
 * What kind of failure a signal is, whom it touches and what follows: total, a signal that no row knows is a
 * `protocol_error`. The provider's own rows are asked first, in every round. Pure; texts in the result are cleaned, but
 * secrets known by value must still be scrubbed by who knows them.
 */
export function classify(signal: FailureSignal, providerRows: readonly ClassifierRow[] = []): Failure {
  const judgement = judge(signal, providerRows);
  return { ...judgement, reason: reasonOf(signal, judgement.outcome) };
}
