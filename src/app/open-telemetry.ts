import type { LiveTelemetry } from '../adapter/telemetry-live/index.ts';
import type { OtlpPackages } from '../adapter/telemetry-otlp/index.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { TelemetryEvent } from '../core/event/index.ts';
import type { HealthState } from '../core/health/state.ts';
import type { MetricsPage, Telemetry } from '../port/telemetry.ts';
import { createGatewayTelemetry } from './gateway-telemetry.ts';
import type { Ground } from './ground.ts';
import { createMetrics, type MeteredPorts } from './metrics.ts';
import { openTraces, type Traces } from './open-traces.ts';

export type TelemetryOptions = {
  /** Stands above the configuration. */
  readonly log?: Partial<RuntimeConfig['telemetry']['log']>;
  /** How the log looks where nobody has said; JSON when absent. */
  readonly logFormat?: 'json' | 'pretty';
  /** Takes each event of docs/events.md as it happens, whatever the log shows. */
  readonly onEvent?: (event: TelemetryEvent) => void;
  /** Is told what the log and the metrics are told. */
  readonly listener?: Telemetry;
  /** What traces are sent with; absent: none are, whatever the configuration says. */
  readonly otlp?: OtlpPackages;
};

export type OpenedTelemetry = {
  readonly telemetry: Telemetry;
  readonly metrics: Telemetry & MetricsPage;
  readonly live: LiveTelemetry;
  readonly traces: Traces;
};

/** What telemetry tells of, and is told by: both are asked when there is something to tell, and not before. */
export type ToldOf = {
  readonly health: () => HealthState;
  readonly metered: () => Omit<MeteredPorts, 'clock' | 'log' | 'droppedMembers' | 'traces'>;
};

/** All that listens to a gateway. */
export function openTelemetry(
  { first, config, secrets, clock, owner, version }: Ground,
  { log = {}, logFormat = 'json', onEvent, listener, otlp }: TelemetryOptions,
  { health, metered }: ToldOf,
): OpenedTelemetry {
  const scrub = (text: string): string => secrets.scrub(text);
  const metrics = createMetrics(version, config, () => ({ ...metered(), clock, log: lines, droppedMembers, traces }));
  const traces = openTraces(first, {
    packages: otlp,
    version,
    instance: owner.boot,
    clock,
    notice: (level, message, fields) => telemetry.notice(level, message, fields),
    scrub,
    presetOf: (provider) => config().providers.get(provider)?.preset ?? null,
  });
  const { telemetry, lines, live, droppedMembers } = createGatewayTelemetry({
    mark: owner.boot,
    log: logOf(first, log, logFormat),
    config,
    health,
    clock,
    scrub,
    onEvent,
    others: [metrics, traces.telemetry, listener],
  });
  return { telemetry, metrics, live, traces };
}

/** How the log is: what stands above the configuration, the configuration, what holds where nobody has said. */
export function logOf(
  { telemetry }: Pick<RuntimeConfig, 'telemetry'>,
  above: NonNullable<TelemetryOptions['log']>,
  otherwise: NonNullable<TelemetryOptions['logFormat']>,
) {
  const { level, format } = { ...telemetry.log, ...above };
  return { level, format: format ?? otherwise };
}
