import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import type { SimulationHost } from '../simulate/run-scenario.ts';

/** Whoever else waits in this process is kept waiting no longer. */
const MOST_MS = 4;

/** What a simulated world takes from the real one: the gateway's own health store, and its turn in the event loop. */
export function createSimulationHost(): SimulationHost {
  let yieldedAt = performance.now();
  return {
    createHealthStore: (options) => createMemoryHealthStore(options),
    // The next tick comes behind all promises, and costs a fraction of a turn of the loop.
    settle() {
      const now = performance.now();
      if (now - yieldedAt < MOST_MS) return new Promise((resolve) => process.nextTick(resolve));
      return new Promise((resolve) => {
        setImmediate(() => {
          yieldedAt = performance.now();
          resolve();
        });
      });
    },
  };
}
