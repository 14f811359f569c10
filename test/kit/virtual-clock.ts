import { createVirtualClock as createClock, type VirtualClock } from '../../src/simulate/world/virtual-clock.ts';

export type { VirtualClock } from '../../src/simulate/world/virtual-clock.ts';

/** Time that passes only when a test says so. */
export const createVirtualClock = (startAt?: number): VirtualClock =>
  createClock({ settle: servePromises, ...(startAt === undefined ? {} : { startAt }) });

/** An immediate runs behind every microtask, however many each of them starts. */
export const servePromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
