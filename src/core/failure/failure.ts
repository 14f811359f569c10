import type { Component, Outcome } from './outcome.ts';

/** What a failure touches. `target`: all credentials of a provider's model. */
export type FailureScope = 'none' | 'route' | 'target' | 'credential' | 'endpoint';

/** Where to go on before commit (failover.md, section 5). */
export type Onward =
  | 'next_target'
  | 'next_credential'
  | 'next_route'
  | 'next_larger_window'
  | 'next_capable'
  | 'next_other_endpoint'
  | 'same_without_state'
  | 'same_without_stream_options'
  | 'same_without_parts'
  | 'stop';

/** Which of the hold settings counts for a guess; the told delay of a failure stands above it. */
export type HoldKind = 'rate_limited' | 'quota' | 'auth' | 'permission' | 'not_found' | 'retired' | 'told_only';

/** A classified failure: what happened, whom it touches and what follows. Plain data, made by `classify` alone. */
export type Failure = {
  /** Id of the table row that matched. */
  readonly row: string;
  readonly outcome: Outcome;
  readonly component: Component;
  readonly onward: Onward;
  /** The same target may be asked again. */
  readonly again: boolean;
  readonly scope: FailureScope;
  readonly hold: HoldKind | null;
  /** Circuit weight: 0, ½, 1 or 2. */
  readonly weight: number;
  /** The provider said no before doing anything: another send is always safe. */
  readonly refusal: boolean;
  /** Two routes of different providers with such a failure mean that the request is at fault. */
  readonly requestShaped: boolean;
  /** A server's own word for how long to stay away, in ms. */
  readonly toldDelayMs: number | null;
  /** The feature that a target refused (rows 5 and 7), to be remembered for it. */
  readonly feature: string | null;
  /**
   * What it refused in words for people, but is not remembered: one value of a feature, or what may not have been
   * meant.
   */
  readonly refusedValue?: string;
  /**
   * Parts that it refused and that can be left out (`Capabilities.leaveOut`). They are remembered for it once it has
   * answered the same request without them (`provedParts`). Absent: none.
   */
  readonly refusedParts?: readonly string[];
  readonly status: number | null;
  /** The provider's own words that may reach a client: checked against `[A-Za-z0-9_.\[\]-]{1,64}`, else null. */
  readonly code: string | null;
  readonly param: string | null;
  readonly type: string | null;
  /** Why, in words for people: cleaned, at most 300 characters. */
  readonly reason: string;
};
