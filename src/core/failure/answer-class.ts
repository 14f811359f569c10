import type { AttemptRecord } from '../attempt/ledger.ts';
import type { Candidate } from '../routing/plan.ts';
import type { ErrorCode } from './client-error.ts';
import { type Component, type Deadline, isDeadline, type Outcome, type SkipOutcome } from './outcome.ts';

/** What a total failure is told as; each is a row of the table of errors. */
export type AnswerClass =
  | 'rate'
  | 'quota'
  | 'overloaded'
  | 'timeout'
  | 'upstream'
  | 'misconfigured'
  | 'context'
  | 'size'
  | 'capability'
  | 'foreign'
  | 'policy'
  | 'state'
  | 'invalid'
  | 'gone'
  | 'missing'
  | 'unknown'
  | 'gateway'
  | 'open'
  | 'busy'
  | 'untranslated'
  | 'disabled'
  | 'budget';

/** Why no further attempt was made. `stopped`: the last failure is one behind which nothing else is tried. */
export type StopCause = 'exhausted' | 'stopped' | 'max_attempts' | 'failover_off' | Deadline | 'outcome_unknown';

export type AnswerRule = {
  readonly code: ErrorCode;
  /**
   * When a repeat is called useless: `always`; `tried`: after two attempts, or when nothing could be tried; `never` but
   * for a wait longer than `maxRetryAfter`.
   */
  readonly useless: 'always' | 'tried' | 'never';
  /** A known return is told as `retry-after`. */
  readonly tellsWait: boolean;
};

export const ANSWER_RULES: Readonly<Record<AnswerClass, AnswerRule>> = {
  rate: { code: 'rate_limit_exceeded', useless: 'never', tellsWait: true },
  quota: { code: 'insufficient_quota', useless: 'always', tellsWait: true },
  overloaded: { code: 'service_unavailable', useless: 'never', tellsWait: true },
  timeout: { code: 'upstream_timeout', useless: 'tried', tellsWait: false },
  upstream: { code: 'upstream_error', useless: 'tried', tellsWait: false },
  misconfigured: { code: 'route_misconfigured', useless: 'tried', tellsWait: false },
  context: { code: 'context_length_exceeded', useless: 'never', tellsWait: false },
  size: { code: 'request_too_large', useless: 'never', tellsWait: false },
  capability: { code: 'unsupported_capability', useless: 'never', tellsWait: false },
  // Nothing that a client may leave out of its request makes it speak another protocol.
  foreign: { code: 'unsupported_capability', useless: 'always', tellsWait: false },
  policy: { code: 'content_policy_violation', useless: 'never', tellsWait: false },
  state: { code: 'previous_response_not_found', useless: 'never', tellsWait: false },
  invalid: { code: 'invalid_request_error', useless: 'never', tellsWait: false },
  gone: { code: 'resource_gone', useless: 'never', tellsWait: false },
  missing: { code: 'not_found', useless: 'never', tellsWait: false },
  unknown: { code: 'outcome_unknown', useless: 'always', tellsWait: false },
  gateway: { code: 'gateway_overloaded', useless: 'never', tellsWait: true },
  open: { code: 'no_target_available', useless: 'never', tellsWait: true },
  busy: { code: 'no_target_available', useless: 'never', tellsWait: true },
  untranslated: { code: 'gateway_overloaded', useless: 'never', tellsWait: true },
  disabled: { code: 'no_target_available', useless: 'always', tellsWait: false },
  budget: { code: 'budget_exceeded', useless: 'never', tellsWait: true },
};

/** Outcomes of attempts, and of holds, as classes. Those that are not here decide nothing. */
export const OUTCOME_CLASS: { readonly [O in Outcome]?: AnswerClass } = {
  rate_limited: 'rate',
  quota_exhausted: 'quota',
  overloaded: 'overloaded',
  timeout_connect: 'timeout',
  timeout_headers: 'timeout',
  timeout_first_output: 'timeout',
  timeout_idle: 'timeout',
  timeout_progress: 'timeout',
  timeout_whole: 'timeout',
  timeout_commit: 'timeout',
  timeout_total: 'timeout',
  server_error: 'upstream',
  bad_gateway: 'upstream',
  connect_error: 'upstream',
  stale_socket: 'upstream',
  protocol_error: 'upstream',
  empty_stream: 'upstream',
  empty_completion: 'upstream',
  incomplete_stream: 'upstream',
  bad_generation: 'upstream',
  model_unavailable: 'upstream',
  auth: 'misconfigured',
  permission: 'misconfigured',
  billing: 'misconfigured',
  model_not_found: 'misconfigured',
  model_gone: 'misconfigured',
  context_length: 'context',
  payload_too_large: 'size',
  unsupported_capability: 'capability',
  content_policy: 'policy',
};

/** Whose fault a hold is, by the outcome that caused it. */
export const HOLD_COMPONENT: { readonly [O in Outcome]?: Component } = {
  rate_limited: 'credential',
  quota_exhausted: 'credential',
  auth: 'credential',
  billing: 'credential',
  permission: 'credential',
  connect_error: 'endpoint',
  timeout_connect: 'endpoint',
};

/** With mixed causes the first of these that occurred decides. */
const TRANSIENT = ['rate', 'quota', 'overloaded', 'timeout', 'upstream', 'misconfigured'] as const;
/** Faults of the request decide only where every target that counts ended so. */
const OF_REQUEST = ['context', 'size', 'capability', 'policy'] as const;
/** Where nothing was tried, the first of these that holds a target. */
const HELD = [
  'rate',
  'quota',
  'untranslated',
  'open',
  'busy',
  'misconfigured',
  'disabled',
  'budget',
  'state',
  'capability',
  'foreign',
] as const;

const SKIP_CLASS: { readonly [S in SkipOutcome]?: AnswerClass } = {
  skipped_circuit: 'open',
  skipped_busy: 'busy',
  skipped_disabled: 'disabled',
  skipped_budget: 'budget',
  skipped_state: 'state',
  skipped_capability: 'capability',
};

/** Left out now, although it could serve this request later. */
const COULD_SERVE: ReadonlySet<SkipOutcome> = new Set(['skipped_cooldown', 'skipped_circuit', 'skipped_busy']);

/** Without the state that the request goes on from, nobody's return helps it. */
export const couldServe = ({ skip, lacksState }: Candidate): boolean =>
  lacksState !== true && (skip === null || COULD_SERVE.has(skip));

/** Its protocol is another one, and the request can't be said in that. */
const isOfProtocol = (lack: string): boolean => lack === 'protocol' || lack === 'translation';

/** By what a candidate is held. A told hold of an outage is to the client what an open circuit is. */
export function holdClass(candidate: Candidate): AnswerClass | null {
  if (candidate.skip === null) return null;
  if (candidate.skip === 'skipped_busy' && candidate.lacks?.includes('translator') === true) return 'untranslated';
  // Who speaks another protocol is no matter of the request, whatever else it lacks.
  if (candidate.skip === 'skipped_capability' && candidate.lacks?.some(isOfProtocol) === true) return 'foreign';
  if (candidate.skip !== 'skipped_cooldown') return SKIP_CLASS[candidate.skip] ?? null;
  const cause = OUTCOME_CLASS[candidate.availability.cause as Outcome];
  return cause === 'rate' || cause === 'quota' || cause === 'misconfigured' ? cause : 'open';
}

const firstOf = (order: readonly AnswerClass[], classes: ReadonlySet<AnswerClass | null>): AnswerClass | null =>
  order.find((each) => classes.has(each)) ?? null;

/** The last failure decides at once: the request's own fault, the gateway's, or a policy that stops. */
function stoppingClass(last: AttemptRecord | undefined, why: StopCause): AnswerClass | null {
  if (last?.failure?.component === 'gateway' && last.failure.onward === 'stop') return 'gateway';
  if (last?.outcome === 'bad_request') {
    return last.failure?.status === 410 ? 'gone' : last.failure?.status === 404 ? 'missing' : 'invalid';
  }
  return why === 'stopped' && last?.outcome === 'content_policy' ? 'policy' : null;
}

function triedClass(attempts: readonly AttemptRecord[], why: StopCause): AnswerClass | null {
  const classes = new Set(
    attempts.map((each) => (each.outcome === null ? null : (OUTCOME_CLASS[each.outcome] ?? null))),
  );
  if (attempts.length > 0 && isDeadline(why)) classes.add('timeout');
  return firstOf(TRANSIENT, classes);
}

function requestClass(attempts: readonly AttemptRecord[], candidates: readonly Candidate[]): AnswerClass | null {
  if (attempts.at(-1)?.outcome === 'incompatible_history') return 'state';
  const tried = new Set(attempts.map((each) => each.target));
  const isHeld = candidates.some((each) => each.skip !== null && couldServe(each) && !tried.has(each.target.id));
  if (isHeld) return null;
  return firstOf(
    OF_REQUEST,
    new Set(attempts.map((each) => (each.outcome ? (OUTCOME_CLASS[each.outcome] ?? null) : null))),
  );
}

/**
 * The row of the table of errors that a total failure is told by. What was tried stands before what was held, save that
 * a fault of the request does not decide while a target that could serve it is held.
 */
export function answerClass(
  attempts: readonly AttemptRecord[],
  candidates: readonly Candidate[],
  why: StopCause,
): AnswerClass {
  const stopping = stoppingClass(attempts.at(-1), why);
  if (stopping) return stopping;
  if (why === 'outcome_unknown' || attempts.some((each) => each.outcome === 'outcome_unknown')) return 'unknown';
  // Others could serve if they had the whole conversation, and clients send it on this word.
  if (why === 'exhausted' && candidates.some(({ skip }) => skip === 'skipped_state')) return 'state';
  const decided = triedClass(attempts, why) ?? requestClass(attempts, candidates);
  if (decided) return decided;
  const held = firstOf(HELD, new Set(candidates.map(holdClass)));
  if (held) return held;
  if (isDeadline(why)) return 'timeout';
  return attempts.length > 0 ? 'upstream' : 'open';
}
