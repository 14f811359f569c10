import type { FailureScope, HoldKind, Onward } from './failure.ts';
import type { Component, Outcome } from './outcome.ts';
import { type OwnWords, ownWords } from './own-words.ts';
import { hasPhrase, normaliseCode } from './phrase.ts';
import type { FailureSignal } from './signal.ts';

/** What follows from a row. */
export type Effect = {
  readonly outcome: Outcome;
  readonly component: Component;
  readonly onward: Onward;
  /** `no_event`: only if no event of the answer had come. */
  readonly again: boolean | 'no_event';
  readonly scope: FailureScope;
  readonly hold: HoldKind | null;
  readonly weight: number;
  readonly requestShaped?: boolean;
  readonly feature?: string | null;
  readonly refusedValue?: string;
  /** Reads from the failure which parts of the request it refuses. */
  readonly refusedParts?: (view: SignalView) => readonly string[];
  /** Whether the provider's own code, param and type may go on to the client. */
  readonly keepsWords?: boolean;
};

/**
 * In which round a clause is tried. The first round that finds a row decides, and within a round the first row: codes
 * know more than words, words more than a status, a status more than the way in which an answer broke.
 */
export const ROUNDS = ['code', 'words', 'status', 'cause'] as const;

export type Round = (typeof ROUNDS)[number];

export type StatusSet = readonly (number | readonly [from: number, to: number])[];

/** A cause, or one of its kinds: `clock`, `clock:connect`, `fault:empty`, `transport:reset`, `finish:error`. */
export type CausePattern = string;

/** One way to match a row. Every member that is there must hold; one without any matches everything. */
export type Clause = {
  readonly by: Round;
  /** One of these is the code or the type of the error. */
  readonly codes?: readonly string[];
  readonly unlessCodes?: readonly string[];
  /** The parameter that the error names. */
  readonly params?: readonly string[];
  /** One of these phrases is in the message, quotations left out. */
  readonly words?: readonly string[];
  /** And each of these. */
  readonly allWords?: readonly string[];
  /** And none of these. */
  readonly unlessWords?: readonly string[];
  /** Status of the error, else of the answer. */
  readonly status?: StatusSet;
  /** Status of the answer's head; `fine`: under 400, or none has come. */
  readonly head?: 'fine' | StatusSet;
  readonly causes?: readonly CausePattern[];
  readonly body?: FailureSignal['body'];
  readonly anyByte?: boolean;
  readonly translated?: boolean;
  /** Where data can't say it; the row's title must. */
  readonly when?: (view: SignalView) => boolean;
  /** Where this way of matching differs from the row's effect. */
  readonly but?: Partial<Effect>;
};

/** A signal as clauses see it; made once per failure. What the provider wrote is here as far as it may decide. */
export type SignalView = {
  readonly facts: Omit<FailureSignal, 'error'>;
  readonly codes: readonly string[];
  readonly param: string | null;
  /** Status of the error if it names one, else of the answer's head. */
  readonly status: number | null;
  readonly causes: readonly string[];
  readonly own: OwnWords;
};

const errorStatus = (status: number | null | undefined): number | null =>
  typeof status === 'number' && status >= 400 && status <= 599 ? status : null;

function causesOf(cause: FailureSignal['cause']): readonly string[] {
  switch (cause.kind) {
    case 'fault':
      return ['fault', `fault:${cause.fault}`];
    case 'finish':
      return ['finish', `finish:${normaliseCode(cause.reason)}`];
    case 'transport':
      return ['transport', `transport:${cause.error}`];
    case 'clock':
      return ['clock', `clock:${cause.clock}`];
    default:
      return [cause.kind];
  }
}

export function viewSignal(signal: FailureSignal): SignalView {
  const { error, ...facts } = signal;
  return {
    facts,
    codes: [error?.code, error?.type].filter((code) => typeof code === 'string').map(normaliseCode),
    param: error?.param == null ? null : error.param.toLowerCase(),
    status: errorStatus(error?.status) ?? signal.status,
    causes: causesOf(signal.cause),
    own: ownWords(signal),
  };
}

const normalised = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Lists are constants of a table: each is normalised once. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  const known = normalised.get(list);
  if (known) return known;
  const set = new Set(list.map(normaliseCode));
  normalised.set(list, set);
  return set;
}

export const inStatus = (status: number | null, set: StatusSet): boolean =>
  status !== null &&
  set.some((entry) => (typeof entry === 'number' ? entry === status : status >= entry[0] && status <= entry[1]));

export const hasCode = (view: SignalView, codes: readonly string[]): boolean => {
  const set = setOf(codes);
  return view.codes.some((code) => set.has(code));
};

function hasHead(view: SignalView, head: NonNullable<Clause['head']>): boolean {
  const { status } = view.facts;
  return head === 'fine' ? status === null || status < 400 : inStatus(status, head);
}

const hasCause = (view: SignalView, causes: readonly CausePattern[]): boolean =>
  causes.some((cause) => {
    const [kind = '', detail] = cause.split(':');
    return view.causes.includes(detail === undefined || kind !== 'finish' ? cause : `finish:${normaliseCode(detail)}`);
  });

type Test = (clause: Clause, view: SignalView) => boolean;

/** One test per member of a clause; a member that is not there holds. */
const TESTS: readonly Test[] = [
  (c, v) => c.codes === undefined || hasCode(v, c.codes),
  (c, v) => c.unlessCodes === undefined || !hasCode(v, c.unlessCodes),
  (c, v) => c.params === undefined || (v.param !== null && c.params.includes(v.param)),
  (c, v) => c.status === undefined || inStatus(v.status, c.status),
  (c, v) => c.head === undefined || hasHead(v, c.head),
  (c, v) => c.causes === undefined || hasCause(v, c.causes),
  (c, v) => c.body === undefined || v.facts.body === c.body,
  (c, v) => c.anyByte === undefined || v.facts.anyByte === c.anyByte,
  (c, v) => c.translated === undefined || v.facts.translated === c.translated,
  (c, v) => c.words === undefined || hasPhrase(v.own.plain, c.words),
  (c, v) => c.allWords === undefined || c.allWords.every((phrase) => hasPhrase(v.own.plain, [phrase])),
  (c, v) => c.unlessWords === undefined || !hasPhrase(v.own.plain, c.unlessWords),
  (c, v) => c.when?.(v) ?? true,
];

export const matchesClause = (clause: Clause, view: SignalView): boolean => TESTS.every((test) => test(clause, view));
