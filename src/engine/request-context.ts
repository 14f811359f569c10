import type { StopWord } from '../core/attempt/judge-stop.ts';
import type { Fact, RequestLedger } from '../core/attempt/ledger.ts';
import { recordFact } from '../core/attempt/record-fact.ts';
import type { RequestText } from '../core/failure/doubt-echo.ts';
import { hideQuotedWords } from '../core/failure/hide-quoted.ts';
import type { RelayEdit } from '../core/model/event.ts';
import type { Plan } from '../core/routing/plan.ts';
import { openTrace, type TraceContext } from '../core/trace/index.ts';
import type { Downstream } from '../port/downstream.ts';
import { sizeOfTranslation } from '../protocol/translate/index.ts';
import { STREAM_HEADERS } from './headers.ts';
import type { History } from './history.ts';
import type { Holding } from './holdings.ts';
import type { EnginePorts } from './index.ts';
import type { TurnKeeper } from './keep-turn.ts';
import { createRelay, type Relay } from './relay.ts';
import { readRequestText, sizeOfText } from './request-text.ts';
import type { RunningAttempt } from './run-attempt.ts';
import { createTroubleTeller, Translations } from './translations.ts';
import type { Call } from './types.ts';
import { createWake, type Wake } from './wake.ts';

/** Everything that one request carries through the engine. Mutable, and nobody else's. */
export type RequestContext = {
  readonly call: Call;
  readonly ports: EnginePorts;
  readonly relay: Relay;
  readonly wake: Wake;
  readonly holding: Holding;
  readonly translations: Translations;
  readonly edits: Set<RelayEdit>;
  /** Null: nobody traces. */
  readonly trace: TraceContext | null;
  /** See `StepInput.busy`. */
  readonly busy: Map<string, number>;
  /** The request as the attempt under way wrote it in another protocol: a provider repeats what it was sent. */
  sent: Uint8Array | null;
  /** What the request says, once somebody had to read it; see `readRequest`. */
  requestText: RequestText | null;
  /** Words of failures as they are told; see `hideRequest`. */
  readonly told: Map<string, string>;
  ledger: RequestLedger | null;
  /** The plan that the latest choice saw. */
  plan: Plan | null;
  attempt: RunningAttempt | null;
  /** What the request goes on from, where that is kept here; null behind the commit. */
  history: History | null;
  /** Behind the commit, where later requests may go on from the answer. */
  keeper: TurnKeeper | null;
  /** The answer is bound to the attempt under way. */
  isCommitted: boolean;
  /** Of an attempt that is over: something came that a client can see. */
  hasOutput: boolean;
  /** The id of the answer that the client got a part of; null: it knows none. */
  answerId: string | null;
  /** Number of the last event that the client got; null: none, or a protocol that does not count. */
  sequence: number | null;
  /** Some frame is out, and none had a number. */
  isUnnumbered: boolean;
  commitAt: number;
  totalAt: number;
  roundStartedAt: number;
  /** The route that the round began by waiting for. */
  waitedFor: string | null;
  random: number;
  /** `crash`: a port failed in a way that no port may. */
  stopped: StopWord | 'crash' | null;
  /** What was thrown where nobody could catch it. */
  thrown: unknown;
  blockedAt: number | null;
  /** Since when a blocked client has taken nothing, and what it had taken by then. */
  stall: { readonly since: number; readonly taken: number };
  /** Ends a wait early. */
  awaken: (() => void) | null;
};

export function createRequestContext(
  call: Call,
  ports: EnginePorts,
  downstream: Downstream,
  holding: Holding,
): RequestContext {
  const { clock } = ports;
  const { timeouts } = call.model.settings;
  const totalMs = Math.min(timeouts.totalMs, call.options.timeoutMs ?? Number.POSITIVE_INFINITY);
  const context: RequestContext = {
    call,
    ports,
    relay: createRelay(downstream, () => clock.now(), {
      onBlocked: () => block(context),
      onDrain: () => guard(context, () => unblock(context)),
      onClose: () => guard(context, () => stopRequest(context, 'client_left')),
    }),
    wake: createWake(clock, (now) => guard(context, () => onWake(context, now))),
    holding,
    translations: new Translations(ports.translation, createTroubleTeller(ports.telemetry, call.id)),
    edits: new Set(),
    trace: traceOf(call, ports),
    busy: new Map(),
    sent: null,
    requestText: null,
    told: new Map(),
    ledger: null,
    plan: null,
    attempt: null,
    history: null,
    keeper: null,
    isCommitted: false,
    hasOutput: false,
    answerId: null,
    sequence: null,
    isUnnumbered: false,
    commitAt: call.receivedAt + timeouts.commitMs,
    totalAt: call.receivedAt + totalMs,
    roundStartedAt: 0,
    waitedFor: null,
    random: ports.random.next(),
    stopped: null,
    thrown: null,
    blockedAt: null,
    stall: { since: 0, taken: 0 },
    awaken: null,
  };
  countHeld(context);
  arm(context);
  return context;
}

const traceOf = ({ forward }: Call, { sampling, random }: EnginePorts): TraceContext | null =>
  sampling === undefined ? null : openTrace(forward, sampling, () => random.next());

const GONE: RequestText = { text: '', written: [], isWhole: false };

/** From now on providers may repeat the request in these words as well. */
export function noteSent(context: RequestContext, sent: Uint8Array | null): void {
  if (context.sent === null && sent === null) return;
  context.sent = sent;
  context.requestText = null;
  context.told.clear();
}

/** What the request says. It is read when it is first asked for, once; behind the commit it is gone. */
export function readRequest(context: RequestContext): RequestText {
  if (context.isCommitted) return GONE;
  if (context.requestText === null) {
    const { history, call, sent } = context;
    const asked = history?.original ?? call.request.original;
    context.requestText = sent === null ? readRequestText(asked) : readRequestText(asked, sent);
    countHeld(context);
  }
  return context.requestText;
}

/** Words of a failure without what they repeat of the request. The next target mostly says the same: that is known then. */
export function hideRequest(context: RequestContext, words: string): string {
  const told = context.told.get(words) ?? hideQuotedWords(words, () => readRequest(context));
  context.told.set(words, told);
  return told;
}

/** Writes one fact: to the request's own ledger, which decides, and to the store, which keeps. */
export function record(context: RequestContext, fact: Fact): void {
  const { ledger, violation } = recordFact(context.ledger, fact);
  context.ledger = ledger;
  if (violation !== null) context.ports.telemetry.notice('error', `ledger: ${violation}`, { request: fact.request });
  context.ports.ledger.append(fact);
}

/** Ends whatever the request is doing; the loop sees `stopped` and closes the books. The first word stays. */
export function stopRequest(context: RequestContext, word: StopWord): void {
  context.stopped ??= word;
  if (context.stopped !== 'crash') context.attempt?.stop(context.stopped);
  context.awaken?.();
}

/** Runs what no caller waits for: timers and the client's events. What it throws ends the request and nothing else. */
function guard(context: RequestContext, run: () => void): void {
  try {
    run();
  } catch (error) {
    context.thrown = error;
    context.stopped = 'crash';
    context.attempt?.crash(error);
    context.awaken?.();
  }
}

/** Resolves at `untilAt`, or earlier when the request is stopped. */
export async function sleep(context: RequestContext, untilAt: number): Promise<void> {
  if (context.ports.clock.now() < untilAt) await awaitUntil(context, untilAt);
}

/** Resolves with what `answer` brings; null at `untilAt` (infinite: never), or earlier when the request is stopped. */
export function awaitUntil<T>(context: RequestContext, untilAt: number, answer?: Promise<T>): Promise<T | null> {
  if (context.stopped !== null) return Promise.resolve(null);
  const { clock } = context.ports;
  return new Promise((resolve) => {
    const close = (value: T | null): void => {
      timer?.cancel();
      if (context.awaken === giveUp) context.awaken = null;
      resolve(value);
    };
    const giveUp = (): void => close(null);
    const timer = Number.isFinite(untilAt) ? clock.setTimer(Math.max(0, untilAt - clock.now()), giveUp) : null;
    context.awaken = giveUp;
    void answer?.then(close, giveUp);
  });
}

/**
 * Says anew what the request holds: its body, its words once they were read, what waits for a decision or its frame's end,
 * and what a client that can't keep up has not taken. To be called when any of that may have changed.
 */
export function countHeld(context: RequestContext): void {
  const { call, requestText, sent, attempt, relay, blockedAt, holding, history, keeper, translations } = context;
  const waiting = blockedAt === null ? 0 : relay.queued();
  const own =
    call.request.original.length + (sent?.length ?? 0) + sizeOfText(requestText) + sizeOfTranslation(call.request);
  const conversation = (history?.heldBytes ?? 0) + (keeper?.heldBytes ?? 0);
  holding.set(own + translations.heldBytes + conversation + (attempt?.heldBytes ?? 0) + waiting);
}

/** Names the next moment at which something may have to be done. */
export function arm(context: RequestContext): void {
  const { relay, attempt, wake } = context;
  if (relay.isEnded || relay.isClosed) return;
  if (context.blockedAt !== null) {
    wake.by(context.stall.since + context.call.settings.clientStallMs);
    return;
  }
  // One moment, the soonest: each that is named alone may cost a timer.
  wake.by(
    Math.min(
      context.isCommitted ? context.totalAt : Math.min(context.commitAt, context.totalAt),
      attempt?.expiresAt() ?? Number.POSITIVE_INFINITY,
      nextKeepalive(context) ?? Number.POSITIVE_INFINITY,
    ),
  );
}

function onWake(context: RequestContext, now: number): void {
  const { relay } = context;
  if (relay.isEnded || relay.isClosed) return;
  if (context.blockedAt !== null) {
    const taken = relay.taken();
    if (taken > context.stall.taken) context.stall = { since: now, taken };
    countHeld(context);
    if (now >= context.stall.since + context.call.settings.clientStallMs) stopRequest(context, 'client_stalled');
  } else {
    if (now >= context.totalAt) stopRequest(context, 'timeout_total');
    else if (!context.isCommitted && now >= context.commitAt) stopRequest(context, 'timeout_commit');
    context.attempt?.checkClocks(now);
    sendKeepalive(context, now);
  }
  if (context.stopped === null) arm(context);
}

/** A silent stream client is kept waiting; null: never. JSON clients can't be. */
function nextKeepalive({ call, relay }: RequestContext): number | null {
  const { keepalive } = call.model.settings;
  if (keepalive === null || !call.request.stream || relay.isEnded || relay.isClosed) return null;
  if (relay.lastWriteAt !== null) return relay.lastWriteAt + keepalive.everyMs;
  return relay.status === null ? call.receivedAt + keepalive.afterMs : null;
}

/** The head fixes the status line, not the answer: failover goes on behind it. */
function sendKeepalive(context: RequestContext, now: number): void {
  const dueAt = nextKeepalive(context);
  if (dueAt === null || now < dueAt || context.stopped !== null) return;
  context.relay.open(200, { ...STREAM_HEADERS, 'x-understudy-model': context.call.model.name });
  context.relay.write(context.call.codec.keepalive);
}

function block(context: RequestContext): void {
  const now = context.ports.clock.now();
  context.blockedAt = now;
  context.stall = { since: now, taken: context.relay.taken() };
  context.attempt?.pause(now);
  countHeld(context);
  arm(context);
}

/** The request's deadlines. While the client can't keep up they move on with the time. */
export function deadlinesOf({ commitAt, totalAt, blockedAt, ports }: RequestContext): {
  readonly commitAt: number;
  readonly totalAt: number;
} {
  const blockedMs = blockedAt === null ? 0 : ports.clock.now() - blockedAt;
  return { commitAt: commitAt + blockedMs, totalAt: totalAt + blockedMs };
}

/** While the client could not keep up, nobody's clock ran. */
function unblock(context: RequestContext): void {
  if (context.blockedAt === null) return;
  const now = context.ports.clock.now();
  const { commitAt, totalAt } = deadlinesOf(context);
  context.commitAt = commitAt;
  context.totalAt = totalAt;
  context.blockedAt = null;
  context.attempt?.resume(now);
  countHeld(context);
  arm(context);
}
