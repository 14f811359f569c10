import type { Clock, Timer } from '../port/clock.ts';

type Waiter = { readonly admit: () => void; readonly timer: Timer };

/** Places under a provider's `limits.concurrency`. */
export type Limiter = {
  /**
   * Resolves to a function that gives the place back, or null when none came free within `queueMs`. Takes no place and
   * no time for a provider without a limit.
   */
  acquire(provider: string, limit: number | null, queueMs: number): Promise<(() => void) | null> | (() => void);
};

const FREE = (): void => {};

export function createLimiter(clock: Clock): Limiter {
  const taken = new Map<string, number>();
  const waiting = new Map<string, Waiter[]>();

  const give = (provider: string): (() => void) => {
    taken.set(provider, (taken.get(provider) ?? 0) + 1);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      taken.set(provider, (taken.get(provider) ?? 1) - 1);
      waiting.get(provider)?.shift()?.admit();
    };
  };

  return {
    acquire(provider, limit, queueMs) {
      if (limit === null) return FREE;
      if ((taken.get(provider) ?? 0) < limit) return give(provider);
      const queue = waiting.get(provider) ?? [];
      waiting.set(provider, queue);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          admit: () => {
            waiter.timer.cancel();
            resolve(give(provider));
          },
          timer: clock.setTimer(queueMs, () => {
            queue.splice(queue.indexOf(waiter), 1);
            resolve(null);
          }),
        };
        queue.push(waiter);
      });
    },
  };
}
