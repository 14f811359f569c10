import { createSystemClock } from '../adapter/clock-system/index.ts';

/** Epoch milliseconds, for commands that show how long something still takes. */
export const systemNow = (): number => createSystemClock().now();
