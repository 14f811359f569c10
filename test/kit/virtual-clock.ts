import type { Clock, Timer } from '../../src/port/clock.ts';

export interface VirtualClock extends Clock {
  /** Timers that have neither fired nor been cancelled. */
  readonly pending: number;
  /** Epoch ms of the next timer; null when there is none. */
  readonly nextAt: number | null;
  /** Lets so much time pass: timers that fall due fire in order, each at its own moment. */
  advance(ms: number): void;
  /** The same, with every promise that is ready served before each timer and at the end. */
  advanceAsync(ms: number): Promise<void>;
  /** Jumps to the next timer, fires what is due then, and serves promises. False: there is no timer. */
  step(): Promise<boolean>;
}

type Entry = { readonly at: number; readonly order: number; readonly fire: () => void };

/** Time that passes only when a test says so. Timers of one moment fire in the order in which they were set. */
export function createVirtualClock(startAt = 1_700_000_000_000): VirtualClock {
  const timers = new Set<Entry>();
  let now = startAt;
  let orders = 0;

  const next = (): Entry | null => {
    let first: Entry | null = null;
    for (const timer of timers) if (first === null || isBefore(timer, first)) first = timer;
    return first;
  };
  const fireNext = (until: number): boolean => {
    const timer = next();
    if (timer === null || timer.at > until) return false;
    timers.delete(timer);
    now = Math.max(now, timer.at);
    timer.fire();
    return true;
  };

  return {
    now: () => now,
    setTimer(delayMs, fire): Timer {
      const entry = { at: now + Math.max(0, delayMs), order: orders++, fire };
      timers.add(entry);
      return { cancel: () => void timers.delete(entry) };
    },
    get pending() {
      return timers.size;
    },
    get nextAt() {
      return next()?.at ?? null;
    },
    advance(ms) {
      const until = now + ms;
      while (fireNext(until));
      now = Math.max(now, until);
    },
    async advanceAsync(ms) {
      const until = now + ms;
      await servePromises();
      while (fireNext(until)) await servePromises();
      now = Math.max(now, until);
      await servePromises();
    },
    async step() {
      await servePromises();
      const at = next()?.at;
      if (at === undefined) return false;
      while (fireNext(at)) await servePromises();
      return true;
    },
  };
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** An immediate runs behind every microtask, however many each of them starts. */
function servePromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
