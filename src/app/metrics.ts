import type { LogTelemetry } from '../adapter/log-pino/index.ts';
import { createPrometheusTelemetry, renderProcessMetrics } from '../adapter/telemetry-prometheus/index.ts';
import { listRoutes } from '../config/list-routes.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { listScopes } from '../core/health/list-scopes.ts';
import type { Engine } from '../engine/index.ts';
import type { Clock } from '../port/clock.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { LedgerStore } from '../port/ledger-store.ts';
import type { MetricsPage, Telemetry } from '../port/telemetry.ts';
import type { WatchingProber } from '../prober/index.ts';
import type { Traces } from './open-traces.ts';

/** What the page of metrics shows as it is at the moment when it is made. */
export type MeteredPorts = {
  readonly clock: Clock;
  readonly engine: Pick<Engine, 'inFlight' | 'buffered'>;
  readonly prober: Pick<WatchingProber, 'underway'>;
  readonly health: Pick<HealthStore, 'snapshot'>;
  readonly ledger: Pick<LedgerStore, 'violations' | 'backlog'>;
  readonly log: Pick<LogTelemetry, 'droppedLines'>;
  /** Members that no event took. */
  readonly droppedMembers: () => number;
  readonly traces: Pick<Traces, 'lostSpans'>;
};

/** `ports` is asked with each page, so that what reports to this telemetry may be made after it. */
export function createMetrics(
  version: string,
  config: () => RuntimeConfig,
  ports: () => MeteredPorts,
): Telemetry & MetricsPage {
  const targets = new WeakMap<RuntimeConfig, ReadonlySet<string>>();
  const isTarget = (id: string): boolean => {
    const now = config();
    let known = targets.get(now);
    if (known === undefined) {
      known = new Set([...now.models.values()].flatMap((model) => model.targets.map((target) => target.id)));
      targets.set(now, known);
    }
    return known.has(id);
  };
  return createPrometheusTelemetry({
    version,
    isModel: (name) => config().models.has(name) || isTarget(name),
    isTarget,
    isProvider: (name) => config().providers.has(name),
    now: () => ports().clock.now(),
    // Requests of clients: the engine counts what the gateway asks for itself among its own.
    inFlight: () => Math.max(0, ports().engine.inFlight() - ports().prober.underway()),
    buffered: () => ports().engine.buffered(),
    scopes: () => listScopes(ports().health.snapshot(), listRoutes(config()), ports().clock.now()),
    violations: () => ports().ledger.violations(),
    backlog: () => ports().ledger.backlog(),
    droppedLines: () => ports().log.droppedLines(),
    droppedMembers: () => ports().droppedMembers(),
    lostSpans: () => ports().traces.lostSpans(),
    renderMore: renderProcessMetrics,
  });
}
