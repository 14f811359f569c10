import { STOPS } from '../core/attempt/judge-stop.ts';
import { requestOutcome } from '../core/attempt/request-outcome.ts';
import { answerExhausted, answerInterrupted, clientError } from '../core/failure/answer.ts';
import type { StopCause } from '../core/failure/answer-class.ts';
import { answerTargetless } from '../core/failure/answer-targetless.ts';
import type { ClientError } from '../core/failure/client-error.ts';
import { GatewayError } from '../core/failure/gateway-error.ts';
import type { Component, Outcome } from '../core/failure/outcome.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import { describeFault, faultWords } from '../core/redact/index.ts';
import type { Candidate } from '../core/routing/plan.ts';
import { indexJson, memberOf, NONE } from '../protocol/json/index.ts';
import type { ErrorContext, OwnAnswer } from '../protocol/types.ts';
import { JSON_HEADERS } from './headers.ts';
import { observeRoute } from './observe-route.ts';
import { awaitUntil, type RequestContext, record } from './request-context.ts';
import type { Settled } from './settle-attempt.ts';
import { isLarge } from './translations.ts';

/** Tells a client that nobody served, in the form that what is out already allows, and closes the record. */
export function answerEnding(context: RequestContext, why: StopCause): void {
  const { call, ports } = context;
  const attempts = context.ledger?.attempts ?? [];
  const { timeouts, retry } = call.model.settings;
  const limits: { readonly [W in StopCause]?: number } = {
    max_attempts: retry.maxAttempts,
    timeout_commit: timeouts.commitMs,
    timeout_total: Math.min(timeouts.totalMs, call.options.timeoutMs ?? timeouts.totalMs),
  };
  const targetless = answerTargetless(call.model, call.settings.maxRetryAfterMs);
  const error =
    targetless ??
    answerExhausted({
      attempts,
      candidates: seenCandidates(context),
      missing: context.plan?.missing ?? [],
      asked: {
        model: call.model.name,
        protocol: call.request.protocol,
        hasMember: memberFinder(call.request.original),
      },
      why,
      limit: limits[why] ?? null,
      maxRetryAfterMs: call.settings.maxRetryAfterMs,
      now: ports.clock.now(),
      jitter: ports.random.next(),
    });
  const own = ownAnswer(context, error);
  if (own !== null) {
    giveOwn(context, own);
    return;
  }
  tell(context, error);
  close(context, {
    outcome: requestOutcome(attempts, why, error.reason),
    component: error.component,
    reason: error.reason,
  });
}

/** Only a refused request is read for it. */
const memberFinder =
  (body: Uint8Array) =>
  (name: string): boolean => {
    const index = indexJson(body, 1);
    return index !== null && memberOf(index, 0, name) !== NONE;
  };

/** What stands in place of the error, where the gateway itself knows enough. */
function ownAnswer(context: RequestContext, error: ClientError): OwnAnswer | null {
  const { call, relay, translations } = context;
  if (relay.status !== null || call.codec.ownAnswer === undefined) return null;
  const whole = wholeOf(context);
  return call.codec.ownAnswer(whole, error, translations.tokens(whole));
}

const wholeOf = ({ call, history }: RequestContext): CanonicalRequest => history?.whole() ?? call.request;

/** What the gateway's own answer needs to know of a large request; null: nothing. To be waited for before `answerEnding`. */
export function prepareEnding(context: RequestContext): Promise<unknown> | null {
  const { call, relay, translations } = context;
  if (relay.status !== null || call.codec.ownAnswer === undefined) return null;
  const whole = wholeOf(context);
  return isLarge(whole) ? awaitUntil(context, Number.POSITIVE_INFINITY, translations.estimate(whole)) : null;
}

/** Nobody served it, and the client is served all the same. */
function giveOwn(context: RequestContext, { headers, body, reason }: OwnAnswer): void {
  const { call, ledger, relay } = context;
  const own = {
    'x-understudy-attempts': String(ledger?.attempts.length ?? 0),
    'x-understudy-model': call.model.name,
  };
  relay.open(200, { ...JSON_HEADERS, ...own, ...headers });
  relay.end(body);
  close(context, { outcome: 'ok', component: null, reason });
}

/** The client has a part of an answer, and no terminal: it gets the protocol's own error behind it. */
export function answerInterruption(
  context: RequestContext,
  { failure, reason, component }: Extract<Settled, { next: 'interrupted' }>,
): void {
  const error = answerInterrupted({
    attempts: context.ledger?.attempts ?? [],
    failure,
    reason,
    ...(component === null ? {} : { component }),
  });
  tell(context, error);
  close(context, { outcome: 'interrupted', component: error.component, reason });
}

/** The request is over on the client's side: it has its answer, or has gone. */
export function closeLeft(context: RequestContext, outcome: Outcome): void {
  const word = context.stopped === 'client_stalled' ? 'client_stalled' : 'client_left';
  if (word === 'client_stalled') context.relay.destroy();
  const { outcome: gone, component, reason } = STOPS[word];
  close(context, outcome === gone ? { outcome, component, reason } : { outcome, component: null, reason: null });
}

/** The gateway is going down; whoever still waits for a place or a moment is told by the loop itself. */
export function answerDrain(context: RequestContext): void {
  const error = clientError('gateway_overloaded', {
    message: 'The gateway is shutting down. Send the request again.',
    reason: 'draining',
    retryAfterMs: 1000,
  });
  tell(context, error);
  close(context, { outcome: 'abandoned', component: 'gateway', reason: 'draining' });
}

/**
 * A fault of our own: the client gets an error, the record an end, the operator a line without any secrets. Never
 * throws, whatever is broken.
 */
export function answerCrash(context: RequestContext, thrown: unknown): void {
  const { call, ports, relay, isCommitted } = context;
  const error = GatewayError.from(thrown);
  const { at } = describeFault(thrown);
  ports.telemetry.notice('error', `request failed inside the gateway: ${faultWords(thrown)}`, { request: call.id, at });
  context.attempt?.crash(error);
  endOpenAttempt(context);
  const reason = 'internal_error';
  const code = isCommitted ? 'stream_interrupted' : reason;
  attemptTo(
    () => tell(context, clientError(code, { component: 'gateway', reason })),
    () => attemptTo(() => relay.destroy(), IGNORE),
  );
  const isLeft = relay.isClosed && !isCommitted;
  const outcome = isLeft ? 'client_closed' : isCommitted ? 'interrupted' : 'server_error';
  close(context, { outcome, component: 'gateway', reason });
}

const IGNORE = (): void => {};

function attemptTo(run: () => void, otherwise: () => void): void {
  try {
    run();
  } catch {
    otherwise();
  }
}

function endOpenAttempt(context: RequestContext): void {
  const open = context.ledger?.attempts.find(({ outcome }) => outcome === null);
  if (open === undefined) return;
  const route = context.plan?.candidates.find((candidate) => candidate.route.id === open.route)?.route;
  const { startedAt, trial } = open;
  if (route !== undefined) observeRoute(context, route, { kind: 'released', startedAt, trial });
  record(context, {
    type: 'attempt_ended',
    request: context.call.id,
    at: context.ports.clock.now(),
    n: open.n,
    outcome: context.isCommitted ? 'interrupted' : 'abandoned',
    phase: open.phase,
    failure: null,
    reason: 'a fault of the gateway',
    usage: null,
    cooldownUntil: null,
  });
  const ended = context.ledger?.attempts[open.n - 1];
  if (context.ledger !== null && ended !== undefined)
    context.ports.telemetry.attemptEnded(context.ledger.started, ended);
}

/** A head that is out must be followed by an event; a JSON answer that is half out can only be cut. */
function tell(context: RequestContext, error: ClientError): void {
  const { call, relay } = context;
  const where = errorContext(context);
  if (relay.status === null) {
    const { status, headers, body } = call.codec.encodeError(error, where);
    relay.open(status, headers);
    relay.end(body);
  } else if (call.request.stream) relay.end(call.codec.encodeStreamError(error, where));
  else relay.destroy();
}

/** What the codec needs to put an error where it has to stand. */
function errorContext({ call, answerId, sequence, isUnnumbered }: RequestContext): ErrorContext {
  const isCodex = call.manner === 'codex' && call.model.settings.exhausted === 'auto' && call.request.stream;
  return {
    requestId: call.id,
    manner: isCodex ? 'codex' : null,
    ...(isUnnumbered && sequence === null ? {} : { sequence }),
    answerId,
  };
}

type Closing = { readonly outcome: Outcome; readonly component: Component | null; readonly reason: string | null };

function close(context: RequestContext, { outcome, component, reason }: Closing): void {
  const { call, ports, ledger, edits, relay } = context;
  if (ledger === null || ledger.ended !== null) return;
  const committed = ledger.committed === null ? null : (ledger.attempts[ledger.committed - 1] ?? null);
  record(context, {
    type: 'request_ended',
    request: call.id,
    at: ports.clock.now(),
    outcome,
    status: relay.status,
    component,
    reason,
    servedBy: committed?.target ?? null,
    edits: [...edits],
    skipped: skippedOf(context),
    rejected: outcome === 'rejected',
  });
}

/** The plan, with those that could not be had at this moment shown as what they are. */
function seenCandidates({ plan, busy }: RequestContext): readonly Candidate[] {
  return (plan?.candidates ?? []).map((candidate) => {
    if (candidate.use === 'skip' || !busy.has(candidate.route.id)) return candidate;
    const skip = candidate.use === 'trial' ? 'skipped_circuit' : 'skipped_busy';
    return { ...candidate, use: 'skip', skip, rank: null };
  });
}

type Skipped = { readonly target: string; readonly outcome: Outcome; readonly until: number | null };

/** Targets of which no route was tried, each once, with the word for why. */
function skippedOf(context: RequestContext): readonly Skipped[] {
  const tried = new Set(context.ledger?.attempts.map(({ target }) => target));
  const skipped = new Map<string, Skipped>();
  for (const { route, skip, availability } of seenCandidates(context)) {
    if (skip === null || tried.has(route.target) || skipped.has(route.target)) continue;
    skipped.set(route.target, { target: route.target, outcome: skip, until: availability.until });
  }
  return [...skipped.values()];
}
