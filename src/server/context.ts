import type { RuntimeConfig } from '../config/runtime.ts';
import type { Engine } from '../engine/index.ts';
import type { Management } from '../management/index.ts';
import type { AuditLog } from '../port/audit-log.ts';
import type { Clock } from '../port/clock.ts';
import type { EventFeed } from '../port/event-feed.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { Random } from '../port/random.ts';
import type { MetricsPage, Telemetry } from '../port/telemetry.ts';
import type { Admission } from './admission.ts';
import type { Dashboard } from './dashboard/dashboard.ts';
import type { createTurnMemory } from './manners.ts';
import type { ReadinessPort } from './readiness.ts';
import type { LogInLimit } from './session/log-in-limit.ts';
import type { SessionStore } from './session/session-store.ts';
import type { Watchers } from './watchers.ts';

/** What the server is given. `config` is asked once per request, which then keeps what it got. */
export type ServerPorts = {
  readonly engine: Engine;
  readonly health: HealthStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly telemetry: Telemetry;
  readonly metrics: MetricsPage;
  readonly management: Management;
  /** What happens, for those who watch; absent: nobody can. */
  readonly feed?: EventFeed;
  /** Absent: nothing is kept of who did what. */
  readonly audit?: Pick<AuditLog, 'add'>;
  /** The pages for people; absent: there are none. */
  readonly dashboard?: Dashboard;
  /** Absent: nobody probes. */
  readonly readiness?: ReadinessPort;
  readonly config: () => RuntimeConfig;
  /** Takes secrets out of what a client wrote, where that is told or kept: of sentences, and of names and ids. */
  readonly clean: { readonly text: (text: string) => string; readonly name: (text: string) => string };
  readonly version: string;
};

/**
 * `draining`: says that it is leaving and serves on; `closed`: takes nothing new, what is under way goes on.
 */
export type ServerPhase = 'open' | 'draining' | 'closed';

/** What the handlers share. */
export type ServerContext = ServerPorts & {
  readonly admission: Admission;
  readonly turns: ReturnType<typeof createTurnMemory>;
  readonly startedAt: number;
  readonly phase: () => ServerPhase;
  readonly sessions: SessionStore;
  readonly logIns: LogInLimit;
  /** Those who watch events: they end with the drain, and nobody waits for them. */
  readonly watchers: Watchers;
};
