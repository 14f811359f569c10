import { type AttemptMoments, type Expiry, nextExpiry } from '../core/attempt/clocks.ts';
import type { Timeouts } from '../core/model/settings.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Moment = Exclude<keyof AttemptMoments, 'startedAt'>;

/** How long the body of a failure that the head has told already is read, for its words and delays. */
const TOLD_FAILURE_MS = 5000;

const LATER_MOMENTS: readonly Moment[] = ['sentAt', 'headAt', 'lastByteAt', 'committedAt', 'lastOutputAt'];

/** The clocks of one attempt: what happened when, and which limit is hit next. They stand still while it is paused. */
export class AttemptClocks {
  readonly #timeouts: Timeouts;
  readonly #isStream: boolean;
  readonly #moments: Mutable<AttemptMoments>;
  #pausedAt: number | null = null;

  constructor(startedAt: number, timeouts: Timeouts, isStream: boolean) {
    this.#timeouts = timeouts;
    this.#isStream = isStream;
    this.#moments = { startedAt, sentAt: null, headAt: null, lastByteAt: null, committedAt: null, lastOutputAt: null };
  }

  get isPaused(): boolean {
    return this.#pausedAt !== null;
  }

  get headAt(): number | null {
    return this.#moments.headAt;
  }

  get isCommitted(): boolean {
    return this.#moments.committedAt !== null;
  }

  note(moment: Moment, now: number): void {
    this.#moments[moment] = now;
  }

  pause(now: number): void {
    this.#pausedAt ??= now;
  }

  resume(now: number): void {
    if (this.#pausedAt === null) return;
    shift(this.#moments, this.#pausedAt, now);
    this.#pausedAt = null;
  }

  /** What runs out first. `isToldFailure`: the answer is a failure already, and nobody waits long for more of it. */
  next(isToldFailure: boolean): Expiry {
    const next = nextExpiry(this.#moments, this.#timeouts, this.#isStream);
    const { headAt } = this.#moments;
    if (headAt === null || !isToldFailure) return next;
    const at = headAt + TOLD_FAILURE_MS;
    return at < next.at ? { ...next, at } : next;
  }

  /** How long nothing has come; time in which the client kept it waiting does not count. */
  silentMs(now: number): number {
    const { startedAt, sentAt, headAt, lastByteAt } = this.#moments;
    return (this.#pausedAt ?? now) - (lastByteAt ?? headAt ?? sentAt ?? startedAt);
  }
}

/**
 * While a slow client keeps the provider waiting no clock runs: what came meanwhile counts as if it came at the end.
 */
function shift(moments: Mutable<AttemptMoments>, pausedAt: number, now: number): void {
  const move = (moment: number): number => Math.min(moment, pausedAt) + (now - pausedAt);
  moments.startedAt = move(moments.startedAt);
  for (const name of LATER_MOMENTS) {
    const moment = moments[name];
    if (moment !== null) moments[name] = move(moment);
  }
}
