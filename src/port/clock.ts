/** The only source of time. `now` is epoch milliseconds, may have fractions and never goes back. */
export interface Clock {
  now(): number;
  /** Calls `fire` once, not before `delayMs` have passed. */
  setTimer(delayMs: number, fire: () => void): Timer;
}

export interface Timer {
  /** Does nothing when the timer has fired or was cancelled. */
  cancel(): void;
}
