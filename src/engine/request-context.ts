import type { Fact, RequestLedger } from '../core/attempt/ledger.ts';
import { recordFact } from '../core/attempt/record-fact.ts';
import type { RelayEdit } from '../core/model/event.ts';
import type { Plan } from '../core/routing/plan.ts';
import type { Downstream } from '../port/downstream.ts';
import { STREAM_HEADERS } from './headers.ts';
import type { EnginePorts } from './index.ts';
import { createRelay, type Relay } from './relay.ts';
import type { RunningAttempt } from './run-attempt.ts';
import type { Call } from './types.ts';
import { createWake, type Wake } from './wake.ts';

/** Why an attempt or a wait was stopped from outside. */
export type StopWord = 'client_left' | 'client_stalled' | 'timeout_commit' | 'timeout_total' | 'drain';

/** Everything that one request carries through the engine. Mutable, and nobody else's. */
export type RequestContext = {
  readonly call: Call;
  readonly ports: EnginePorts;
  readonly relay: Relay;
  readonly wake: Wake;
  readonly edits: Set<RelayEdit>;
  readonly busy: Set<string>;
  ledger: RequestLedger | null;
  /** The plan that the latest choice saw. */
  plan: Plan | null;
  attempt: RunningAttempt | null;
  /** The answer is bound to the attempt under way. */
  isCommitted: boolean;
  commitAt: number;
  totalAt: number;
  roundStartedAt: number;
  random: number;
  stopped: StopWord | null;
  blockedAt: number | null;
  /** Ends a sleep early. */
  awaken: (() => void) | null;
};

export function createRequestContext(call: Call, ports: EnginePorts, downstream: Downstream): RequestContext {
  const { clock } = ports;
  const { timeouts } = call.model.settings;
  const totalMs = Math.min(timeouts.totalMs, call.options.timeoutMs ?? Number.POSITIVE_INFINITY);
  const context: RequestContext = {
    call,
    ports,
    relay: createRelay(downstream, () => clock.now(), {
      onBlocked: () => block(context),
      onDrain: () => unblock(context),
      onClose: () => stopRequest(context, 'client_left'),
    }),
    wake: createWake(clock, (now) => onWake(context, now)),
    edits: new Set(),
    busy: new Set(),
    ledger: null,
    plan: null,
    attempt: null,
    isCommitted: false,
    commitAt: call.receivedAt + timeouts.commitMs,
    totalAt: call.receivedAt + totalMs,
    roundStartedAt: 0,
    random: ports.random.next(),
    stopped: null,
    blockedAt: null,
    awaken: null,
  };
  arm(context);
  return context;
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
  context.attempt?.stop(context.stopped);
  context.awaken?.();
}

/** Resolves at `untilAt`, or earlier when the request is stopped. */
export function sleep(context: RequestContext, untilAt: number): Promise<void> {
  if (context.stopped !== null || context.ports.clock.now() >= untilAt) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = context.ports.clock.setTimer(untilAt - context.ports.clock.now(), () => context.awaken?.());
    context.awaken = () => {
      timer.cancel();
      context.awaken = null;
      resolve();
    };
  });
}

/** Names the next moment at which something may have to be done. */
export function arm(context: RequestContext): void {
  const { relay, attempt, wake } = context;
  if (relay.isEnded) return;
  if (context.blockedAt !== null) {
    wake.by(context.blockedAt + context.call.settings.clientStallMs);
    return;
  }
  wake.by(context.isCommitted ? context.totalAt : Math.min(context.commitAt, context.totalAt));
  const expiresAt = attempt?.expiresAt() ?? null;
  if (expiresAt !== null) wake.by(expiresAt);
  const keepaliveAt = nextKeepalive(context);
  if (keepaliveAt !== null) wake.by(keepaliveAt);
}

function onWake(context: RequestContext, now: number): void {
  if (context.relay.isEnded || context.relay.isClosed) return;
  if (context.blockedAt !== null) {
    if (now >= context.blockedAt + context.call.settings.clientStallMs) stopRequest(context, 'client_stalled');
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
  context.attempt?.pause(now);
  arm(context);
}

/** While the client could not keep up, nobody's clock ran. */
function unblock(context: RequestContext): void {
  if (context.blockedAt === null) return;
  const now = context.ports.clock.now();
  const paused = now - context.blockedAt;
  context.blockedAt = null;
  context.commitAt += paused;
  context.totalAt += paused;
  context.attempt?.resume(now);
  arm(context);
}
