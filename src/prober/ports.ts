import type { ReportedProvider } from '../core/readiness/report.ts';
import type { ProbeSettings } from '../core/readiness/settings.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { Engine, EngineSettings } from '../engine/index.ts';
import type { Clock } from '../port/clock.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { Telemetry } from '../port/telemetry.ts';

/** What a prober needs of the configuration in force. */
export type ProbedConfig = {
  readonly models: ReadonlyMap<string, VirtualModel>;
  /** Models that take targets out of lists, whether there are any in them or not. Absent: none does. */
  readonly catalogue?: { readonly models: ReadonlyMap<string, unknown> };
  readonly readiness: { readonly probe: ProbeSettings };
};

export type ProberPorts = {
  readonly engine: Pick<Engine, 'probe'>;
  readonly health: Pick<HealthStore, 'snapshot' | 'observe'>;
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'probeEnded' | 'notice'>;
  readonly config: () => ProbedConfig;
  readonly settings: () => EngineSettings;
  /** A new id for the record of a probe. */
  readonly ids: () => string;
  /**
   * Asks providers for their models, until this moment (epoch ms) at the latest, and puts what they list into the
   * configuration. Absent: nobody can.
   */
  readonly discover?: (deadlineAt: number) => Promise<readonly ReportedProvider[]>;
  /** What is known of their lists now; absent: what the last round has brought. */
  readonly providers?: () => readonly ReportedProvider[];
  /** Of when the health is with which this process began, epoch ms; null or absent: it began with none. */
  readonly savedAt?: number | null;
};
