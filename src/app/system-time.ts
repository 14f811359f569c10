import { createSystemClock } from '../adapter/clock-system/index.ts';

/** Epoch milliseconds, for commands that show how long something still takes. */
export const systemNow = (): number => createSystemClock().now();

/** Calls back again and again, for commands that show that something still goes on. Gives what ends it. */
export function systemTicks(everyMs: number, act: () => void): () => void {
  const clock = createSystemClock();
  let timer = clock.setTimer(everyMs, tick);
  function tick(): void {
    timer = clock.setTimer(everyMs, tick);
    act();
  }
  return () => timer.cancel();
}
