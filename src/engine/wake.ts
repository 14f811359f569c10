import type { Clock, Timer } from '../port/clock.ts';

/** One timer for many moments: whoever is interested names its moment, and all are asked anew when it fires. */
export type Wake = {
  /** Fires at `moment` or earlier. */
  by(moment: number): void;
  /** For good. */
  stop(): void;
};

/**
 * Clocks that move on with every byte would cost a timer each time. This one is only ever brought forward: when it
 * fires too early, `onWake` names the next moment.
 */
export function createWake(clock: Clock, onWake: (now: number) => void): Wake {
  let timer: Timer | null = null;
  let dueAt = Number.POSITIVE_INFINITY;
  let isStopped = false;
  const fire = (): void => {
    timer = null;
    dueAt = Number.POSITIVE_INFINITY;
    onWake(clock.now());
  };
  return {
    by(moment) {
      if (isStopped || moment >= dueAt) return;
      timer?.cancel();
      dueAt = moment;
      timer = clock.setTimer(Math.max(0, moment - clock.now()), fire);
    },
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
