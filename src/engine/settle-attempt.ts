import { outdoneEmpties } from '../core/attempt/accept-empty.ts';
import { judgeStop, STOPS, type StopWord } from '../core/attempt/judge-stop.ts';
import type { AnswerTold } from '../core/attempt/ledger.ts';
import { classifyDoubting } from '../core/failure/doubt-echo.ts';
import type { Failure } from '../core/failure/failure.ts';
import { hideQuoted } from '../core/failure/hide-quoted.ts';
import type { Component, Outcome } from '../core/failure/outcome.ts';
import type { FailureSignal, OwnFault } from '../core/failure/signal.ts';
import { availability } from '../core/health/availability-of.ts';
import type { Observation } from '../core/health/observation.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { Candidate } from '../core/routing/plan.ts';
import { observeRoute } from './observe-route.ts';
import { hideRequest, type RequestContext, readRequest, record } from './request-context.ts';
import type { AttemptEnd, RunningAttempt } from './run-attempt.ts';

/** What an attempt's end means for the request. */
export type Settled =
  | { readonly next: 'done'; readonly outcome: Outcome }
  /** Nothing was given out: `nextStep` decides. */
  | { readonly next: 'go_on' }
  /** The client has part of an answer and must be told. */
  | {
      readonly next: 'interrupted';
      readonly failure: Failure | null;
      readonly reason: string;
      /** Who ended it, where that was no failure. */
      readonly component: Component | null;
    }
  | { readonly next: 'left'; readonly outcome: Outcome };

type Verdict = {
  readonly settled: Settled;
  readonly outcome: Outcome;
  readonly failure: Failure | null;
  readonly reason: string | null;
  readonly observation: Pick<Observation, 'kind' | 'failure'> & Partial<Pick<Observation, 'limitMs' | 'ownLimitMs'>>;
};

/**
 * Closes one attempt's books: one classification, one observation, one end. `withoutParts`: parts of which an answer to
 * this attempt proves that the target does not take them.
 */
export function settleAttempt(
  context: RequestContext,
  candidate: Candidate,
  attempt: RunningAttempt,
  end: AttemptEnd,
  withoutParts: readonly string[],
): Settled {
  const verdict = VERDICTS[end.type](context, { candidate, attempt }, end as never);
  const { ports, call } = context;
  const at = ports.clock.now();
  const current = context.ledger?.attempts.at(-1);
  if (current === undefined) return verdict.settled;
  const { startedAt, trial } = current;
  const kind = provedKind(context, verdict, attempt);
  observeRoute(context, candidate.route, { ...verdict.observation, kind, startedAt, at, trial, withoutParts });
  const isDone = verdict.settled.next === 'done';
  record(context, {
    type: 'attempt_ended',
    request: call.id,
    at,
    n: current.n,
    outcome: verdict.outcome,
    phase: isDone ? 'done' : attempt.phase,
    failure: verdict.failure,
    reason: verdict.reason,
    usage: attempt.usage(),
    cooldownUntil: verdict.failure === null ? null : heldUntil(context, candidate, at),
    ...(context.trace === null ? {} : { answer: cleanAnswer(attempt.told(), ports.clean) }),
  });
  if (context.isCommitted) for (const edit of attempt.edits) context.edits.add(edit);
  if (attempt.hasOutput) context.hasOutput = true;
  if (isDone && attempt.hasOutput) creditEmptyOnes(context, candidate, at);
  const ended = context.ledger?.attempts.at(-1);
  if (ended !== undefined && context.ledger !== null) ports.telemetry.attemptEnded(context.ledger.started, ended);
  context.random = ports.random.next();
  return verdict.settled;
}

/** An answer that says nothing is one for a client; of a route that was asked whether it can speak it proves nothing. */
function provedKind(
  { call }: RequestContext,
  { observation: { kind } }: Verdict,
  { hasOutput }: RunningAttempt,
): Observation['kind'] {
  return call.kind === 'probe' && kind === 'success' && !hasOutput ? 'released' : kind;
}

type EndOf<T extends AttemptEnd['type']> = Extract<AttemptEnd, { type: T }>;
type Judge<T extends AttemptEnd['type']> = (context: RequestContext, at: Settling, end: EndOf<T>) => Verdict;

type Settling = { readonly candidate: Candidate; readonly attempt: RunningAttempt };

const VERDICTS: { readonly [T in AttemptEnd['type']]: Judge<T> } = {
  complete: (_context, _at, { outcome }) => success(outcome, { next: 'done', outcome }),
  stale_socket: () => ({
    settled: { next: 'go_on' },
    outcome: 'stale_socket',
    failure: null,
    reason: 'the reused connection was closed before the request arrived',
    observation: { kind: 'released', failure: null },
  }),
  failed,
  interrupted: failed,
  stopped: (context, { candidate, attempt }, { why }) => stopped(context, candidate, attempt, why),
};

const success = (outcome: Outcome, settled: Settled): Verdict => ({
  settled,
  outcome,
  failure: null,
  reason: null,
  observation: { kind: 'success', failure: null },
});

function failed(
  context: RequestContext,
  { candidate, attempt }: Settling,
  { type, signal, limitMs }: EndOf<'failed' | 'interrupted'>,
): Verdict {
  const isInterrupted = type === 'interrupted';
  const { request } = context.call;
  const rows = [...attempt.failureRows, ...context.ports.failureRows(candidate.route.provider)];
  const heard = classifyDoubting({ ...signal, used: usedFeatures(request) }, rows, () => readRequest(context));
  const clean = scrubFailure(heard, context.ports.clean);
  // A reason in the gateway's own words repeats nobody: only a provider's may quote the prompt.
  const isQuoting = !signal.committed && (signal.error !== null || signal.cause.kind === 'finish');
  const failure = isQuoting ? hideQuoted(clean, (words) => hideRequest(context, words)) : clean;
  const own = signal.cause.kind === 'clock' ? ownLimit(candidate, signal.cause.clock) : null;
  const fault = signal.cause.kind === 'own_fault' ? signal.cause : null;
  if (fault !== null) noticeOwnFault(context, candidate, fault);
  return {
    settled: isInterrupted
      ? { next: 'interrupted', failure, reason: failure.outcome, component: null }
      : { next: 'go_on' },
    outcome: isInterrupted ? 'interrupted' : failure.outcome,
    failure,
    reason: failure.reason,
    observation:
      fault === null ? { kind: 'failure', failure, limitMs, ownLimitMs: own } : { kind: 'released', failure: null },
  };
}

/** The provider has answered, and we have not: nobody but the operator can do anything about it. */
function noticeOwnFault({ call, ports }: RequestContext, { route }: Candidate, { words, at }: OwnFault): void {
  const way = `${route.protocol} to ${call.request.protocol}`;
  ports.telemetry.notice('error', `an answer could not be translated from ${way}: ${words}`, {
    request: call.id,
    target: route.target,
    at,
  });
}

/** `stream_options` may be ours: any stream can have them. */
const usedFeatures = ({ needs, stream, usageAsked }: CanonicalRequest): readonly string[] =>
  stream || usageAsked ? [...needs, 'streamUsage'] : needs;

/** A provider may echo our key in any word that it says; a word with a key in it goes whole. */
function scrubFailure(failure: Failure, clean: (text: string) => string): Failure {
  const word = (text: string | null): string | null => (text === null || clean(text) !== text ? null : text);
  // A part has the name that the client wrote: of several flags, each its own.
  const isPlain = (part: string): boolean => part.split(',').every((name) => clean(name) === name);
  return {
    ...failure,
    reason: clean(failure.reason),
    code: word(failure.code),
    param: word(failure.param),
    type: word(failure.type),
    ...(failure.refusedParts === undefined ? {} : { refusedParts: failure.refusedParts.filter(isPlain) }),
  };
}

const MODEL_NAME = /^[\w.:/@+-]{1,160}$/;

/** A model has a name; anything else that stands there is nothing for a record. */
function cleanAnswer({ finish, model }: AnswerTold, clean: (text: string) => string): AnswerTold {
  const isName = model !== null && MODEL_NAME.test(model) && clean(model) === model;
  return { finish, model: isName ? model : null };
}

function ownLimit({ target }: Candidate, clock: Extract<FailureSignal['cause'], { kind: 'clock' }>['clock']): number {
  return target.settings.timeouts[`${clock}Ms`];
}

/** Client, deadline or drain ended it. */
function stopped(context: RequestContext, { target }: Candidate, attempt: RunningAttempt, why: StopWord): Verdict {
  const { next, outcome, reason, observed } = judgeStop({
    why,
    isCommitted: context.isCommitted,
    terminal: attempt.terminal,
    silentMs: attempt.silentMs(context.ports.clock.now()),
    firstOutputMs: target.settings.timeouts.firstOutputMs,
  });
  const { outcome: word, component } = STOPS[why];
  const settled: { readonly [N in typeof next]: Settled } = {
    left: { next: 'left', outcome },
    go_on: { next: 'go_on' },
    interrupted: { next: 'interrupted', failure: null, reason: word, component },
  };
  return { settled: settled[next], outcome, failure: null, reason, observation: { kind: observed, failure: null } };
}

/** The hold or open circuit that this end left on the route. */
function heldUntil({ ports }: RequestContext, { route }: Candidate, now: number): number | null {
  const { state, until } = availability(ports.health.snapshot(), route, now);
  return state === 'ready' || state === 'slow' ? null : until;
}

/** Somebody did answer what others left empty: only now their emptiness counts. */
function creditEmptyOnes(context: RequestContext, served: Candidate, at: number): void {
  const { ledger, plan } = context;
  for (const attempt of outdoneEmpties(ledger?.attempts ?? [], served.route.target)) {
    const candidate = plan?.candidates.find(({ route }) => route.id === attempt.route);
    if (candidate === undefined) continue;
    const { startedAt, failure, trial } = attempt;
    observeRoute(context, candidate.route, { kind: 'another_answered', startedAt, at, failure, trial });
  }
}
