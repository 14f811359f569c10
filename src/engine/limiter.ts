import type { Clock, Timer } from '../port/clock.ts';

/** Gives a place back; a second call does nothing. */
export type GiveBack = () => void;

type Waiter = { readonly limit: number; readonly admit: () => void; readonly timer: Timer };

/** Places under a provider's `limits.concurrency`. */
export type Limiter = {
  /**
   * A place, or null when none came free within `queueMs` or `giveUp` was called. Takes no place and no time for a
   * provider without a limit. `onWait` is handed the way to give up, before anything is waited for.
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
  const taken = new Map<string, number>();
  const waiting = new Map<string, Set<Waiter>>();

  const isFree = (provider: string, limit: number): boolean => (taken.get(provider) ?? 0) < limit;
  const give = (provider: string): GiveBack => {
    taken.set(provider, (taken.get(provider) ?? 0) + 1);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      taken.set(provider, (taken.get(provider) ?? 1) - 1);
      admit(provider);
    };
  };
  // Each waiter goes by the limit that it came with: a reload may have changed it for those behind.
  const admit = (provider: string): void => {
    for (const waiter of waiting.get(provider) ?? []) {
      if (!isFree(provider, waiter.limit)) return;
      waiter.admit();
    }
  };

  return {
    acquire(provider, limit, queueMs, onWait) {
      if (limit === null) return FREE;
      if (isFree(provider, limit)) return give(provider);
      const queue = waiting.get(provider) ?? new Set();
      waiting.set(provider, queue);
      return new Promise((resolve) => {
        const leave = (place: GiveBack | null): void => {
          waiter.timer.cancel();
          queue.delete(waiter);
          resolve(place);
        };
        const waiter: Waiter = {
          limit,
          admit: () => leave(give(provider)),
          timer: clock.setTimer(queueMs, () => leave(null)),
        };
        queue.add(waiter);
        onWait(() => leave(null));
      });
    },
  };
}
