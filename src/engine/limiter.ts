import type { Clock, Timer } from '../port/clock.ts';

/** Gives a place back; a second call does nothing. */
export type GiveBack = () => void;

type Waiter = { readonly admit: () => void; readonly timer: Timer };

/** Of one provider. `limit`: the one in force, whoever came under another. Who stands in the queue, oldest first. */
type Line = { limit: number; taken: number; readonly queue: Set<Waiter> };

/** Places under a provider's `limits.concurrency`. */
export type Limiter = {
  /**
   * A place, or null when none came free within `queueMs` or `giveUp` was called. Takes no place and no time for a
   * provider without a limit. `onWait` is handed the way to give up, before anything is waited for. `limit` counts from
   * now on for all of the provider, those who wait already too (a reload may have changed it); first come, first served.
   */
  acquire(
    provider: string,
    limit: number | null,
    queueMs: number,
    onWait: (giveUp: () => void) => void,
  ): Promise<GiveBack | null> | GiveBack;
};

const FREE = (): void => {};

export function createLimiter(clock: Clock): Limiter {
  const lines = new Map<string, Line>();
  const lineOf = (provider: string): Line => {
    const line = lines.get(provider) ?? { limit: 0, taken: 0, queue: new Set() };
    lines.set(provider, line);
    return line;
  };

  return {
    acquire(provider, limit, queueMs, onWait) {
      const line = lineOf(provider);
      line.limit = limit ?? Number.POSITIVE_INFINITY;
      // First those who wait: what is free behind that is free because nobody does.
      admitWaiters(line);
      if (limit === null) return FREE;
      return isFree(line) ? takePlace(line) : waitFor(line, clock, queueMs, onWait);
    },
  };
}

const isFree = ({ taken, limit }: Line): boolean => taken < limit;

function takePlace(line: Line): GiveBack {
  line.taken += 1;
  let isBack = false;
  return () => {
    if (isBack) return;
    isBack = true;
    line.taken -= 1;
    admitWaiters(line);
  };
}

/** To be called whenever places may have become free: nobody waits while there is one. */
function admitWaiters(line: Line): void {
  for (const waiter of line.queue) {
    if (!isFree(line)) return;
    waiter.admit();
  }
}

function waitFor(
  line: Line,
  clock: Clock,
  queueMs: number,
  onWait: (giveUp: () => void) => void,
): Promise<GiveBack | null> {
  return new Promise((resolve) => {
    const leave = (place: GiveBack | null): void => {
      waiter.timer.cancel();
      line.queue.delete(waiter);
      resolve(place);
    };
    const waiter: Waiter = {
      admit: () => leave(takePlace(line)),
      timer: clock.setTimer(queueMs, () => leave(null)),
    };
    line.queue.add(waiter);
    onWait(() => leave(null));
  });
}
