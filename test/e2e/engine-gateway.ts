import { createMemoryHealthStore, type MemoryHealthStoreOptions } from '../../src/adapter/store-memory/health-store.ts';
import { drainGateway } from '../../src/app/drain.ts';
import { wireGateway } from '../../src/app/wire.ts';
import type { RuntimeConfig } from '../../src/config/runtime.ts';
import type { HealthStore } from '../../src/port/health-store.ts';
import { configOf } from '../kit/config-text.ts';

export type EngineGateway = {
  readonly url: string;
  /** What a reload does with a file that now reads so. */
  reload(text: string): void;
  /** What SIGTERM does. Resolves when nothing is open any more. */
  drain(drainMs?: number): Promise<void>;
  close(): Promise<void>;
};

/** Nothing of it outlives the test. */
function inMemory(text: string): RuntimeConfig {
  const config = configOf(text);
  return { ...config, store: { ...config.store, kind: 'memory' } };
}

/** A whole gateway within this process, wired as the command wires it, on real sockets. Its health is `changeHealth`'s. */
export async function openEngineGateway(
  text: string,
  changeHealth: (health: HealthStore) => HealthStore = (health) => health,
): Promise<EngineGateway> {
  const log = { level: 'silent' } as const;
  const openHealth = (options: MemoryHealthStoreOptions): HealthStore => changeHealth(createMemoryHealthStore(options));
  const gateway = wireGateway(inMemory(text), { version: '0.0.0-test', log, openHealth });
  const { port } = await gateway.server.listen('127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${port}`,
    reload: (next) => gateway.swap(inMemory(next)),
    drain: (drainMs = 2500) => drainGateway(gateway, { drainMs, isHasty: true }),
    async close() {
      gateway.server.close();
      gateway.server.destroy();
      await gateway.close();
    },
  };
}
