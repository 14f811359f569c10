import type { Component, Deadline, Outcome } from '../failure/outcome.ts';

/** Why an attempt was ended from outside. */
export type StopWord = 'client_left' | 'client_stalled' | Deadline | 'drain';

/** What an ended attempt means for its request: `left`, nobody is there any more to be told anything. */
export type StopNext = 'left' | 'go_on' | 'interrupted';

type StopRule = {
  readonly outcome: Outcome;
  /** For the record. */
  readonly reason: string;
  readonly component: Component;
  readonly isClientGone: boolean;
  /** A long silence before it says something of the route: somebody lost patience. */
  readonly tellsSilence: boolean;
};

export const STOPS: { readonly [W in StopWord]: StopRule } = {
  client_left: {
    outcome: 'client_closed',
    reason: 'the client closed the connection',
    component: 'client',
    isClientGone: true,
    tellsSilence: true,
  },
  client_stalled: {
    outcome: 'client_closed',
    reason: 'the client read nothing for server.clientStall',
    component: 'client',
    isClientGone: true,
    tellsSilence: false,
  },
  timeout_commit: {
    outcome: 'timeout_commit',
    reason: "the request's commit time is up",
    component: 'deadline',
    isClientGone: false,
    tellsSilence: false,
  },
  timeout_total: {
    outcome: 'timeout_total',
    reason: "the request's total time is up",
    component: 'deadline',
    isClientGone: false,
    tellsSilence: false,
  },
  drain: {
    outcome: 'abandoned',
    reason: 'the gateway is shutting down',
    component: 'gateway',
    isClientGone: false,
    tellsSilence: false,
  },
};

export type StoppedAttempt = {
  readonly why: StopWord;
  readonly isCommitted: boolean;
  /** The client holds a terminal already: what the answer then is; null: it holds none. */
  readonly terminal: Outcome | null;
  /** How long nothing had come. */
  readonly silentMs: number;
  /** The model's own limit of the first output. */
  readonly firstOutputMs: number;
};

export type StopVerdict = {
  readonly next: StopNext;
  /** Of the attempt. */
  readonly outcome: Outcome;
  readonly reason: string | null;
  /** What health is told: `released` charges nobody. */
  readonly observed: 'success' | 'slow' | 'released';
};

/** A silence of this length that a client gave up on says something of the route, however patient the model is. */
const SILENCE_CAP_MS = 10_000;
const SILENCE_SHARE = 1 / 4;

/** Client, deadline or drain ended it: nobody is charged, but a silence that drove a client away is remembered. */
export function judgeStop({ why, isCommitted, terminal, silentMs, firstOutputMs }: StoppedAttempt): StopVerdict {
  const { outcome, reason, isClientGone, tellsSilence } = STOPS[why];
  if (why === 'client_left' && terminal !== null)
    return { next: 'left', outcome: terminal, reason: null, observed: 'success' };
  if (isClientGone) {
    const isSilent = !isCommitted && silentMs > Math.min(SILENCE_CAP_MS, firstOutputMs * SILENCE_SHARE);
    return { next: 'left', outcome, reason, observed: tellsSilence && isSilent ? 'slow' : 'released' };
  }
  return isCommitted
    ? { next: 'interrupted', outcome: 'interrupted', reason, observed: 'released' }
    : { next: 'go_on', outcome, reason, observed: 'released' };
}
