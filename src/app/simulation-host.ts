import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import type { SimulationHost } from '../simulate/run-scenario.ts';

/** What a simulated world takes from the real one: the gateway's own health store, and its turn in the event loop. */
export const createSimulationHost = (): SimulationHost => ({
  createHealthStore: (options) => createMemoryHealthStore(options),
  // A turn of the loop serves every promise, and whoever else waits in this process.
  settle: () => new Promise((resolve) => setImmediate(resolve)),
});
