import type { AvailabilityState } from '../health/availability.ts';

/** States that a report counts; `open` and `half_open` count as deferred, disabled routes are no candidates. */
export type ReportedState = Exclude<AvailabilityState, 'open' | 'half_open' | 'disabled'>;

/** One route of a model in a report. No URL, body, prompt or key is ever in it. */
export type ReportedRoute = {
  readonly route: string;
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
  readonly endpoint: string;
  readonly tier: number;
  /** `unreached`, `postponed`: not probed in this round; neither is a state of its own. */
  readonly state: ReportedState | 'unreached' | 'postponed';
  /** An outcome word, or why it was not probed; null: nothing stands against it. */
  readonly reason: string | null;
  readonly http_status?: number;
  /** Probes of this round. */
  readonly attempts: number;
  readonly escalated?: boolean;
  readonly latency_ms?: number;
  readonly retry_after_ms?: number;
  /** Since what is said of it was seen; null: nothing was. */
  readonly age_ms: number | null;
  /** RFC 3339; null: no moment is known. */
  readonly next_check_at: string | null;
};

/** A stretch of a round, as long as it took. */
export type ReportedStage = {
  readonly stage: 'discovery' | 'first_pass' | 'second_pass';
  readonly ms: number;
  readonly probes: number;
  /** Why it ended. */
  readonly end: 'complete' | 'target_ready' | 'max_probes' | 'max_tokens' | 'max_time' | 'stopped';
};

/**
 * One model of a report. Its counts add up: candidates = probed + unreached + postponed, probed = ready + slow + deferred +
 * rejected.
 */
export type ReportedModel = {
  readonly model: string;
  readonly candidates: number;
  readonly probed: number;
  readonly ready: number;
  readonly slow: number;
  readonly deferred: number;
  readonly rejected: number;
  readonly postponed: number;
  readonly unreached: number;
  readonly escalations: { readonly used: number; readonly denied: number; readonly budget: number };
  /** Over how many the pool spans; a warning stands beside where it is one. */
  readonly endpoints: number;
  readonly credentials: number;
  readonly warnings: readonly string[];
  readonly stages: readonly ReportedStage[];
  readonly routes: readonly ReportedRoute[];
};

export type ReportedProvider = {
  readonly provider: string;
  /** Models that it listed; null: it was not asked. */
  readonly discovered: number | null;
  /** A word, never the provider's own text. Beside a number: that is the list before. */
  readonly error?: string;
  /** Since its list was read; absent: it never gave one, or was not asked. */
  readonly age_ms?: number;
};

export type ReadinessReport = {
  readonly contract: 'understudy-readiness-v1';
  readonly generated_at: string;
  readonly models: readonly ReportedModel[];
  readonly providers: readonly ReportedProvider[];
};
