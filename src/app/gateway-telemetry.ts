import { createPinoTelemetry, type LogTelemetry } from '../adapter/log-pino/index.ts';
import { createEventTelemetry } from '../adapter/telemetry-events/index.ts';
import { combineTelemetry } from '../adapter/telemetry-fanout/index.ts';
import { createLiveTelemetry, type LiveTelemetry } from '../adapter/telemetry-live/index.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { IsOurs, NameKind, TelemetryEvent } from '../core/event/index.ts';
import type { HealthState } from '../core/health/state.ts';
import type { Clock } from '../port/clock.ts';
import type { Telemetry } from '../port/telemetry.ts';

export type GatewayTelemetryOptions = {
  readonly log: { readonly level: RuntimeConfig['telemetry']['log']['level']; readonly format: 'json' | 'pretty' };
  readonly config: () => RuntimeConfig;
  readonly health: () => HealthState;
  readonly clock: Clock;
  readonly scrub: (text: string) => string;
  readonly onEvent: ((event: TelemetryEvent) => void) | undefined;
  /** Tells the events of this process from those of others. */
  readonly mark: string;
  /** Told what the log is told, behind it. */
  readonly others: readonly (Telemetry | undefined)[];
};

/** All that listens to the gateway; its log alone, and what those who watch are told. */
export function createGatewayTelemetry(options: GatewayTelemetryOptions): {
  readonly telemetry: Telemetry;
  readonly lines: LogTelemetry;
  readonly live: LiveTelemetry;
  /** Members that no event took, of those that are written down: each log of them counts its own. */
  readonly droppedMembers: () => number;
} {
  const { config, health, clock, scrub, onEvent, others, mark } = options;
  const isOurs = checkNames(config);
  const lines = createPinoTelemetry({ ...options.log, scrub, isOurs, health });
  // A secret of the configuration may look like a name.
  const isClean: IsOurs = (kind, name) => isOurs(kind, name) && scrub(name) === name;
  const events =
    onEvent === undefined
      ? undefined
      : createEventTelemetry({ sink: onEvent, now: () => clock.now(), isOurs: isClean, health });
  const live = createLiveTelemetry({ now: () => clock.now(), mark, isOurs: isClean, health });
  const listeners = [lines, ...others, live.telemetry, events].filter((listener) => listener !== undefined);
  const droppedMembers = (): number => lines.droppedMembers() + (events?.droppedMembers() ?? 0);
  return { telemetry: combineTelemetry(...listeners), lines, live, droppedMembers };
}

/**
 * Which names events may have: clients choose models, and with them what a pinned target is called, but no provider. All
 * other names come from the configuration or from what the gateway was told of its providers.
 */
function checkNames(config: () => RuntimeConfig): IsOurs {
  const hasProvider = (id: string): boolean => config().providers.has(id.split('/', 1)[0] ?? '');
  const checks: { readonly [K in NameKind]?: (name: string) => boolean } = {
    model: (name) => config().models.has(name) || hasProvider(name),
    provider: hasProvider,
    target: hasProvider,
    route: hasProvider,
  };
  return (kind, name) => checks[kind]?.(name) ?? true;
}
