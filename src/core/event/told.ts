import type { Outcome } from '../failure/outcome.ts';
import type { AvailabilityState } from '../health/availability.ts';

/** A scope's state word has changed. */
export type HealthChange = {
  readonly id: string;
  readonly scope: string;
  readonly from: string;
  readonly to: string;
  /** Epoch ms. */
  readonly until: number | null;
  readonly reason: string | null;
  /** The word behind the reason: an outcome, or `operator`. */
  readonly cause?: string | null;
};

/** How a probe ended. Ids are those of the configuration in force or of a catalogue; no word is the provider's. */
export type ProbeEnd = {
  readonly route: string;
  /** `provider/model` */
  readonly target: string;
  readonly credential: string;
  readonly endpoint: string;
  /** The model for which it was probed; null: for none in particular. */
  readonly model: string | null;
  /** What the probe showed of the route. */
  readonly state: AvailabilityState;
  readonly outcome: Outcome;
  /** Of the provider's answer; null: there was none. */
  readonly status: number | null;
  /** It was the repeat with a larger limit of tokens. */
  readonly escalated: boolean;
  readonly ms: number;
  /** Asked for and reported, together; null: nobody told. */
  readonly tokens: number | null;
  /** Its record in the ledger; null: it has none. */
  readonly request: string | null;
};

/** A provider that was asked for its models and gave no list. */
export type DiscoveryFailure = {
  readonly provider: string;
  /** An outcome word: `auth`, `connect_error`, `timeout_whole`, `protocol_error` … */
  readonly reason: Outcome;
};

/** What came of a changed configuration file. */
export type ConfigChange = {
  /** `in_force`: it serves from now on. `refused`: the one before does. */
  readonly result: 'in_force' | 'refused';
  /** Of the configuration in force. */
  readonly models: number;
  readonly providers: number;
};
