import type { AttemptRecord, Fact, RequestLedger } from '../core/attempt/ledger.ts';

/** What the gateway says of itself. Values are cleaned already; no prompt, no key, no provider body is ever in them. */
export interface Telemetry {
  requestEnded(request: RequestLedger): void;
  /** Of failed attempts too; those say why in `attempt.reason`. */
  attemptEnded(started: Extract<Fact, { type: 'request_started' }>, attempt: AttemptRecord): void;
  healthChanged(change: {
    readonly id: string;
    readonly scope: string;
    readonly from: string;
    readonly to: string;
    readonly until: number | null;
    readonly reason: string | null;
  }): void;
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
