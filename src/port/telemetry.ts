import type { AttemptRecord, Fact, RequestLedger } from '../core/attempt/ledger.ts';
import type { ConfigChange, DiscoveryFailure, HealthChange, ProbeEnd } from '../core/event/told.ts';

export type { ConfigChange, DiscoveryFailure, HealthChange, ProbeEnd } from '../core/event/told.ts';

/** What the gateway says of itself. Values are cleaned already; no prompt, no key, no provider body is ever in them. */
export interface Telemetry {
  requestEnded(request: RequestLedger): void;
  /** It is on record, and its first byte has not left. */
  attemptStarted(started: Extract<Fact, { type: 'request_started' }>, attempt: AttemptRecord): void;
  /** Of failed attempts too; those say why in `attempt.reason`. */
  attemptEnded(started: Extract<Fact, { type: 'request_started' }>, attempt: AttemptRecord): void;
  healthChanged(change: HealthChange): void;
  /** Once for each probe, an escalated one apart. */
  probeEnded(probe: ProbeEnd): void;
  discoveryFailed(failure: DiscoveryFailure): void;
  /** The configuration file was changed. What people are to read of it is a notice. */
  configChanged(change: ConfigChange): void;
  /**
   * Something that an operator must know and no request shows: a refused reload, a full disk, a breach of the ledger.
   */
  notice(
    level: 'info' | 'warn' | 'error',
    message: string,
    fields?: Readonly<Record<string, string | number | boolean | null>>,
  ): void;
}

/** What has been counted, as a page for a machine that comes to read it. */
export interface MetricsPage {
  render(): Promise<{ readonly contentType: string; readonly body: string }>;
}
