import { createSystemClock } from '../../src/adapter/clock-system/index.ts';
import { createUndiciClient } from '../../src/adapter/http-undici/index.ts';
import { createSystemRandom } from '../../src/adapter/random-system/index.ts';
import { createMemoryHealthStore } from '../../src/adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../../src/adapter/store-memory/ledger-store.ts';
import { createPlanning } from '../../src/app/planning.ts';
import { listRoutes } from '../../src/config/list-routes.ts';
import { cleanText } from '../../src/core/redact/index.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import { createManagement } from '../../src/management/index.ts';
import type { HealthStore } from '../../src/port/health-store.ts';
import { createGatewayServer } from '../../src/server/index.ts';
import { configOf } from '../kit/config-text.ts';

const ignore = (): void => {};

/** A whole gateway within this process, on real sockets, so that a test can put a port of its own into the engine. */
export async function openEngineGateway(
  text: string,
  wrapHealth: (health: HealthStore) => HealthStore = (health) => health,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const config = configOf(text);
  const clock = createSystemClock();
  const random = createSystemRandom();
  const health = wrapHealth(createMemoryHealthStore({ settings: () => config.health }));
  health.retain(listRoutes(config));
  const ledger = createMemoryLedgerStore({ onViolation: ignore });
  const http = createUndiciClient({ isAddressAllowed: () => true });
  const telemetry = { requestEnded: ignore, attemptEnded: ignore, healthChanged: ignore, notice: ignore };
  const engine = createEngine({
    clock,
    random,
    http,
    ledger,
    health,
    telemetry,
    owner: { boot: 'boot', worker: 0 },
    failureRows: () => [],
    clean: cleanText,
  });
  const server = createGatewayServer({
    engine,
    health,
    clock,
    random,
    telemetry,
    metrics: { render: async () => ({ contentType: 'text/plain', body: '' }) },
    management: createManagement({ ledger, health, clock, planning: createPlanning(engine) }),
    config: () => config,
    version: '0.0.0-test',
  });
  const { port } = await server.listen('127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.destroy();
      await http.close();
    },
  };
}
