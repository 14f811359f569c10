import type { Phase } from '../failure/outcome.ts';
import type { TransportError } from '../failure/signal.ts';

/** How a connection failed, by what its client of HTTP calls knows. */
export type SocketLoss = {
  readonly error: TransportError;
  /** It had served a request before. */
  readonly isReused: boolean;
  /** A new one had been asked for. */
  readonly wantsFresh: boolean;
  readonly phase: Phase;
};

const LOSSES: ReadonlySet<TransportError> = new Set(['reset', 'closed']);

/**
 * A kept connection that its server had given up before the request arrived. Nothing of an answer came, so nobody
 * worked on it; on a fresh one the same is a failure to connect.
 */
export const isStaleSocket = ({ error, isReused, wantsFresh, phase }: SocketLoss): boolean =>
  isReused && !wantsFresh && phase === 'sent' && LOSSES.has(error);
