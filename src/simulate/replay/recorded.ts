import type { Outcome } from '../../core/failure/outcome.ts';
import type { Protocol } from '../../core/model/protocol.ts';

/** A request of the past, as far as the ledger tells it. Moments are epoch ms. */
export type RecordedRequest = {
  readonly id: string;
  readonly at: number;
  /** The name that the client asked for, or the model that it meant; null: it was refused before anybody read it. */
  readonly model: string | null;
  readonly protocol: Protocol;
  readonly stream: boolean;
  readonly key: string | null;
  /** Null: it was still running. */
  readonly outcome: Outcome | null;
  readonly servedBy: string | null;
  readonly durationMs: number | null;
  /** A plan was made for it: it was sent somewhere, or everything was out of service. */
  readonly isPlanned: boolean;
  readonly attempts: readonly RecordedAttempt[];
};

export type RecordedAttempt = {
  /** `provider/model#credential`. */
  readonly route: string;
  readonly at: number;
  readonly outcome: Outcome | null;
  readonly headAt: number | null;
  readonly firstOutputAt: number | null;
  readonly endedAt: number | null;
  /** Until when its end kept something out of service. */
  readonly heldUntil: number | null;
  readonly outputTokens: number | null;
};

const ANSWERED: readonly (Outcome | null)[] = ['ok', 'ok_truncated', 'ok_filtered', 'refused'];
/** Ends that say nothing of what the provider would have done: somebody else ended it. */
const CUT_OFF: readonly (Outcome | null)[] = [
  null,
  'client_closed',
  'abandoned',
  'hedge_lost',
  'timeout_commit',
  'timeout_total',
];

export const isAnswered = (outcome: Outcome | null): boolean => ANSWERED.includes(outcome);
export const isCutOff = (outcome: Outcome | null): boolean => CUT_OFF.includes(outcome);
