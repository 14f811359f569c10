import { listKeptRoutes } from '../config/list-routes.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Engine } from '../engine/index.ts';
import type { ConfigEditor } from '../management/index.ts';
import type { Clock } from '../port/clock.ts';
import type { Telemetry } from '../port/telemetry.ts';
import { lookOnFailure, type Prober } from '../prober/index.ts';
import type { GatewayServer } from '../server/index.ts';
import { layGround } from './ground.ts';
import { openCatalogue } from './open-catalogue.ts';
import { openStores, type StoreOptions } from './open-stores.ts';
import { openTelemetry, type TelemetryOptions } from './open-telemetry.ts';
import { createReadyGate } from './ready-gate.ts';
import { createSimulation } from './simulation.ts';
import { warmUp } from './warm-up.ts';
import { wireEngine } from './wire-engine.ts';
import { wireProber } from './wire-prober.ts';
import { wireServer } from './wire-server.ts';

/** A gateway, put together and not yet listening. */
export type Gateway = {
  readonly server: GatewayServer;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly prober: Prober;
  config(): RuntimeConfig;
  /** From now on new requests are served by this configuration; those under way keep theirs. */
  swap(config: RuntimeConfig): void;
  /** Runs what the first request would otherwise pay for. */
  warmUp(): Promise<void>;
  /** Says where it listens, to another one that is refused its state directory. */
  announce(url: string): void;
  /** From now on routes are probed as the configuration says, and until what is waited for is there. */
  startProbing(): void;
  /** Ends what no client waits for: simulations, probes, and the wait for what is not ready. Nobody who leaves waits for it. */
  endBackground(): void;
  close(): Promise<void>;
};

export type WireOptions = TelemetryOptions &
  StoreOptions & {
    readonly version: string;
    /** Ready routes that `/readyz` waits for; it does not when absent or null. */
    readonly waitReady?: number | null;
    /** Changes the configuration's file; absent: it can't be changed from here. */
    readonly editor?: ConfigEditor;
  };

/**
 * Puts the gateway together. Here and in what this calls ports meet their adapters. Parts that are told of each other are
 * joined by functions: nothing is asked of a later one before all are there.
 */
export function wireGateway(first: RuntimeConfig, options: WireOptions): Gateway {
  let config = first;
  const ground = layGround(first, () => config, options.version);
  const { clock, random, secrets } = ground;
  const opened = openTelemetry(ground, options, {
    health: () => health.snapshot(),
    metered: () => ({ engine, prober, health, ledger }),
  });
  const { telemetry, traces } = opened;
  const stores = openStores(ground, options, telemetry, () => prober.look());
  const { ledger, health, saved } = stores;
  /** What clients named themselves is known of still, and what an operator said of it. */
  const keepHealth = (): void => health.retain(listKeptRoutes(config, health.snapshot()));
  const heard = lookOnFailure(health, () => prober.look());
  const { engine, http, translation, failureRows } = wireEngine(ground, opened, { ledger, health: heard });
  const catalogue = openCatalogue({
    clock,
    telemetry,
    http,
    stateDir: saved === null ? null : first.stateDir,
    failureRows,
    cleanName: (name) => secrets.cleanName(name),
    onChange(next) {
      config = next;
      keepHealth();
      prober.look();
    },
  });
  config = catalogue.take(first);
  const prober = wireProber(ground, { ...stores, engine, telemetry, catalogue });
  const gate = createReadyGate({ prober, clock, telemetry, waitFor: options.waitReady ?? null });
  const simulation = createSimulation(clock);
  const server = wireServer(ground, {
    opened,
    stores,
    engine,
    prober,
    simulation,
    readiness: gate,
    editor: options.editor,
  });
  keepHealth();
  saved?.keep(() => health.snapshot());
  return {
    server,
    engine,
    clock,
    telemetry,
    prober,
    config: () => config,
    warmUp: () => warmUp({ clock, random, http }),
    swap(next) {
      secrets.learn(next);
      config = catalogue.take(next);
      keepHealth();
      prober.look();
    },
    announce: (url) => ledger.announce?.(url),
    startProbing() {
      catalogue.start();
      prober.start();
      gate.start();
    },
    endBackground() {
      simulation.close();
      gate.close();
      void prober.close();
    },
    async close() {
      simulation.close();
      gate.close();
      catalogue.close();
      await prober.close();
      saved?.close();
      await Promise.all([http.close(), health.close(), translation.close(), traces.close()]);
      // Last and alone: what the others still have to say is on record too.
      await ledger.close();
    },
  };
}
