import type { Clock, Timer } from '../../port/clock.ts';

/** What a clock is made from; tests give their own. */
export type TimeSource = {
  /** Epoch ms of the machine's calendar, which people and time servers may set back. */
  readonly wall: () => number;
  /** Ms that only ever grow, from any start. */
  readonly steady: () => number;
};

/** It never changes, and asking for it makes a number each time. */
const { timeOrigin } = performance;

const MACHINE: TimeSource = { wall: Date.now, steady: () => timeOrigin + performance.now() };

/** A steady clock stands still while a machine sleeps: behind so much of the calendar, it is put right. */
const MAX_BEHIND_MS = 1_000;

/** Node fires longer timers at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The machine's time. It runs on the steady clock, jumps forward when the calendar is more than a second ahead (the
 * machine slept, or was set right) and never goes back.
 *
 * Timers are never early, whatever their length, and keep the process alive: a timer here belongs to a request or to a
 * duty of the gateway, and who no longer needs it cancels it.
 */
export function createSystemClock(source: TimeSource = MACHINE): Clock {
  let ahead = 0;
  return {
    now() {
      const steady = source.steady() + ahead;
      const behind = source.wall() - steady;
      if (behind <= MAX_BEHIND_MS) return steady;
      ahead += behind;
      return steady + behind;
    },
    setTimer: (delayMs, fire) => setSteadyTimer(source.steady, delayMs, fire),
  };
}

function setSteadyTimer(steady: () => number, delayMs: number, fire: () => void): Timer {
  const dueAt = steady() + delayMs;
  let handle: NodeJS.Timeout | null = null;
  // Node counts from the time at which its loop last woke up, so a timeout may come early by as long as that is ago.
  const wait = () => {
    const left = dueAt - steady();
    handle = setTimeout(
      () => (dueAt - steady() > 0 ? wait() : fire()),
      Math.min(Math.max(1, Math.ceil(left)), MAX_TIMEOUT_MS),
    );
  };
  wait();
  return {
    cancel() {
      if (handle !== null) clearTimeout(handle);
      handle = null;
    },
  };
}
