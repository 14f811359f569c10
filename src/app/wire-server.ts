import type { Engine } from '../engine/index.ts';
import { type ConfigEditor, createManagement, type Simulation } from '../management/index.ts';
import type { Prober } from '../prober/index.ts';
import { createDashboard, createGatewayServer, type GatewayServer, type ReadinessPort } from '../server/index.ts';
import { findDashboard } from './find-dashboard.ts';
import type { Ground } from './ground.ts';
import type { Stores } from './open-stores.ts';
import type { OpenedTelemetry } from './open-telemetry.ts';
import { createPlanning } from './planning.ts';

/** What the server itself says may be longer than what it quotes. */
const MAX_TOLD = 2000;

export type ServedParts = {
  readonly opened: OpenedTelemetry;
  readonly stores: Stores;
  readonly engine: Engine;
  readonly prober: Prober;
  readonly simulation: Simulation;
  readonly readiness: ReadinessPort;
  /** Absent: the configuration can't be changed from here. */
  readonly editor: ConfigEditor | undefined;
};

/** The door of a gateway, with the management API and the dashboard behind it. */
export function wireServer(
  { config, secrets, clock, random, version }: Ground,
  { opened, stores, engine, prober, simulation, readiness, editor }: ServedParts,
): GatewayServer {
  const { telemetry, metrics, live } = opened;
  const { ledger, health, audit } = stores;
  const management = createManagement({
    ledger,
    health,
    clock,
    planning: createPlanning(engine),
    simulation,
    prober,
    traffic: live.traffic,
    audit,
    ...(editor === undefined ? {} : { editor }),
  });
  return createGatewayServer({
    engine,
    health,
    clock,
    random,
    telemetry,
    metrics,
    management,
    feed: live.feed,
    audit,
    dashboard: createDashboard(findDashboard()),
    readiness,
    config,
    clean: { text: (text) => secrets.clean(text, MAX_TOLD), name: (text) => secrets.cleanName(text) },
    version,
  });
}
