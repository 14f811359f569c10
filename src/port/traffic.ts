import type { Outcome } from '../core/failure/outcome.ts';
import type { Protocol } from '../core/model/protocol.ts';

/** Requests of clients that have ended: probes and counts are not among them. */
export type RequestCounts = {
  readonly total: number;
  readonly ok: number;
  /** The first attempt gave the answer. */
  readonly firstOk: number;
  /** There is an answer though an attempt failed. */
  readonly saved: number;
  readonly failed: number;
  /** Before any attempt, by the gateway. */
  readonly rejected: number;
  /** The client left. */
  readonly left: number;
};

export type TargetCounts = {
  readonly target: string;
  readonly attempts: number;
  readonly failed: number;
  readonly outcomes: ReadonlyMap<Outcome, number>;
};

/** A request that was sent somewhere and has not ended. */
export type UnderWay = {
  readonly id: string;
  readonly model: string;
  readonly protocol: Protocol;
  readonly stream: boolean;
  readonly key: string | null;
  readonly startedAt: number;
  readonly attempts: number;
  readonly target: string;
};

export type TrafficReport = {
  /** Epoch ms, both: what the counts begin with, and now. */
  readonly since: number;
  readonly at: number;
  readonly stepMs: number;
  readonly requests: RequestCounts;
  readonly attempts: { readonly total: number; readonly failed: number };
  /** Failed attempts of requests that ended well. */
  readonly unseenFailures: number;
  readonly series: readonly (RequestCounts & { readonly at: number })[];
  readonly targets: readonly TargetCounts[];
  readonly underWay: { readonly count: number; readonly newest: readonly UnderWay[] };
};

/** What has happened lately, counted as it happened. */
export interface Traffic {
  /** Over the last so many ms, at most `maxWindowMs`. */
  read(windowMs: number): TrafficReport;
  readonly maxWindowMs: number;
}
