import type { Clock, Timer } from '../../port/clock.ts';

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

export type VirtualClockOptions = {
  /** Epoch ms. */
  readonly startAt?: number;
  /** Resolves behind every promise that is ready, and those that they make ready. */
  readonly settle: () => Promise<void>;
};

type Entry = { readonly at: number; readonly order: number; fire: (() => void) | null };

/** Time that passes only when it is told to. Timers of one moment fire in the order in which they were set. */
export function createVirtualClock({ startAt = 1_700_000_000_000, settle }: VirtualClockOptions): VirtualClock {
  // A binary heap by moment, then order. What is cancelled stays in it, without its function, until it comes up.
  const heap: Entry[] = [];
  let now = startAt;
  let orders = 0;
  let pending = 0;

  const next = (): Entry | null => {
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (top.fire !== null) return top;
      popTop(heap);
    }
    return null;
  };
  const fireNext = (until: number): boolean => {
    const timer = next();
    if (timer === null || timer.at > until) return false;
    const { fire } = timer;
    popTop(heap);
    timer.fire = null;
    pending -= 1;
    now = Math.max(now, timer.at);
    fire?.();
    return true;
  };

  return {
    now: () => now,
    setTimer(delayMs, fire): Timer {
      const entry: Entry = { at: now + Math.max(0, delayMs), order: orders++, fire };
      push(heap, entry);
      pending += 1;
      return {
        cancel() {
          if (entry.fire === null) return;
          entry.fire = null;
          pending -= 1;
        },
      };
    },
    get pending() {
      return pending;
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
      await settle();
      while (fireNext(until)) await settle();
      now = Math.max(now, until);
      await settle();
    },
    async step() {
      await settle();
      const at = next()?.at;
      if (at === undefined) return false;
      while (fireNext(at)) await settle();
      return true;
    },
  };
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

function push(heap: Entry[], entry: Entry): void {
  let i = heap.push(entry) - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(entry, above)) break;
    heap[i] = above;
    i = parent;
  }
  heap[i] = entry;
}

function popTop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let i = 0;
  for (;;) {
    const left = 2 * i + 1;
    const right = left + 1;
    const one = heap[left];
    if (one === undefined) break;
    const other = heap[right];
    const [child, place] = other !== undefined && isBefore(other, one) ? [other, right] : [one, left];
    if (!isBefore(child, last)) break;
    heap[i] = child;
    i = place;
  }
  heap[i] = last;
}
