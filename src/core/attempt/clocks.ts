import type { AttemptClock } from '../failure/signal.ts';
import type { Timeouts } from '../model/settings.ts';

/** Moments of one attempt, epoch ms. All of them move on while the provider's socket is paused for a slow client. */
export type AttemptMoments = {
  readonly startedAt: number;
  readonly sentAt: number | null;
  readonly headAt: number | null;
  readonly lastByteAt: number | null;
  readonly committedAt: number | null;
  readonly lastOutputAt: number | null;
};

export type Expiry = { readonly clock: AttemptClock; readonly at: number; readonly limitMs: number };

/**
 * The clock of an attempt that runs out first. A JSON answer has `connect` and `whole` alone: its head comes with the
 * body, so that a long thought looks like silence.
 */
export function nextExpiry(moments: AttemptMoments, timeouts: Timeouts, stream: boolean): Expiry {
  const { startedAt, sentAt, headAt, lastByteAt, committedAt, lastOutputAt } = moments;
  if (sentAt === null) return expiry('connect', startedAt, timeouts.connectMs);
  if (!stream) return expiry('whole', sentAt, timeouts.wholeMs);
  const output =
    committedAt === null
      ? expiry('firstOutput', sentAt, timeouts.firstOutputMs)
      : expiry('progress', lastOutputAt ?? committedAt, timeouts.progressMs);
  const byte =
    headAt === null
      ? expiry('headers', sentAt, timeouts.headersMs)
      : expiry('idle', lastByteAt ?? headAt, timeouts.idleMs);
  return byte.at <= output.at ? byte : output;
}

const expiry = (clock: AttemptClock, from: number, limitMs: number): Expiry => ({ clock, at: from + limitMs, limitMs });
