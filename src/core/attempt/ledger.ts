import type { Failure } from '../failure/failure.ts';
import type { Component, Outcome, Phase } from '../failure/outcome.ts';
import type { RelayEdit } from '../model/event.ts';
import type { FinishReason } from '../model/finish.ts';
import type { Protocol } from '../model/protocol.ts';
import type { Usage } from '../model/usage.ts';
import type { Plan } from '../routing/plan.ts';
import type { RecordedTrace } from '../trace/trace.ts';

/** Who wrote a fact: a process, told apart from its predecessors so that a start can close what they left open. */
export type Owner = { readonly boot: string; readonly worker: number };

/** What was asked for, besides answers. */
export type RequestKind = 'answer' | 'probe' | 'count' | 'compact';

/** What clients ask for; a probe is the gateway's own. */
export const ASKED_KINDS = ['answer', 'count', 'compact'] as const satisfies readonly RequestKind[];

/** What a provider said of its answer. Null: it did not. */
export type AnswerTold = { readonly finish: FinishReason | null; readonly model: string | null };

/** Facts of one request, in the order in which they may come (failover.md, section 9). Times are epoch ms. */
export type Fact =
  | {
      readonly type: 'request_started';
      readonly request: string;
      readonly at: number;
      readonly owner: Owner;
      readonly model: string;
      /** The name by which the client asked for it, without secrets. Null: nobody knows. */
      readonly asked: string | null;
      readonly protocol: Protocol;
      readonly stream: boolean;
      /** Absent: a client's ordinary request. `probe`: the gateway's own. */
      readonly kind?: RequestKind;
      readonly key: string | null;
      /** The client's own id of the request, recorded and not reused. */
      readonly clientRequestId: string | null;
      /** The request of which this one is a client's retry. */
      readonly clientRetryOf: string | null;
      readonly plan: Plan | null;
      /** Absent: nobody traces. */
      readonly trace?: RecordedTrace;
    }
  | {
      readonly type: 'attempt_started';
      readonly request: string;
      readonly at: number;
      readonly n: number;
      readonly route: string;
      readonly target: string;
      readonly credential: string;
      readonly endpoint: string;
      /** Why this route now: "first in plan", "failover after overloaded", "again after 250 ms" … */
      readonly why: string;
      /** Counted against the attempt budget; a replay after a stale socket is not. */
      readonly charged: boolean;
      readonly trial: boolean;
      /** The plan that this choice saw, where it is another than the one before. */
      readonly plan: Plan | null;
      /** Its own span; absent: nobody traces. */
      readonly span?: string;
    }
  | {
      readonly type: 'head';
      readonly request: string;
      readonly at: number;
      readonly n: number;
      readonly status: number;
    }
  | { readonly type: 'committed'; readonly request: string; readonly at: number; readonly n: number }
  | {
      readonly type: 'attempt_ended';
      readonly request: string;
      readonly at: number;
      readonly n: number;
      readonly outcome: Outcome;
      readonly phase: Phase;
      readonly failure: Failure | null;
      readonly reason: string | null;
      readonly usage: Usage | null;
      /** The hold that this end caused, as an instant. */
      readonly cooldownUntil: number | null;
      /** Absent: nobody traces. */
      readonly answer?: AnswerTold;
    }
  | {
      readonly type: 'request_ended';
      readonly request: string;
      readonly at: number;
      readonly outcome: Outcome;
      /** What the client's status line said; null if it left before one. */
      readonly status: number | null;
      readonly component: Component | null;
      readonly reason: string | null;
      readonly servedBy: string | null;
      readonly edits: readonly RelayEdit[];
      readonly skipped: readonly {
        readonly target: string;
        readonly outcome: Outcome;
        readonly until: number | null;
      }[];
      /** Refused before any attempt. */
      readonly rejected: boolean;
    };

/** One attempt as the facts so far tell it. */
export type AttemptRecord = {
  readonly n: number;
  readonly route: string;
  readonly target: string;
  readonly credential: string;
  readonly endpoint: string;
  readonly why: string;
  readonly charged: boolean;
  readonly trial: boolean;
  readonly startedAt: number;
  readonly headAt: number | null;
  readonly status: number | null;
  readonly committedAt: number | null;
  readonly endedAt: number | null;
  readonly outcome: Outcome | null;
  readonly phase: Phase;
  readonly failure: Failure | null;
  readonly reason: string | null;
  readonly usage: Usage | null;
  readonly cooldownUntil: number | null;
  /** Where somebody traces; the store on disk keeps neither. */
  readonly span?: string;
  readonly answer?: AnswerTold;
};

/**
 * A request as the facts so far tell it, folded by `recordFact`. Nothing here is lost or overwritten by a later fact.
 */
export type RequestLedger = {
  readonly id: string;
  readonly started: Extract<Fact, { type: 'request_started' }>;
  readonly attempts: readonly AttemptRecord[];
  /** `n` of the attempt that the answer is bound to. */
  readonly committed: number | null;
  readonly ended: Extract<Fact, { type: 'request_ended' }> | null;
  /** Plans in the order in which choices saw them, each with the attempt it led to (null: none). */
  readonly plans: readonly { readonly attempt: number | null; readonly plan: Plan }[];
};
