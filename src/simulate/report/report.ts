/**
 * What came of a simulation, as people and programs are told it. Members that end in `_ms` count from the beginning of
 * the world, or of their request where they stand in one; shares and rates lie between 0 and 1. Unknown is null.
 */
export type Report = {
  readonly seed: number;
  /** Path of the configuration; null where no file holds it. */
  readonly config: string | null;
  /** False: it took too long and was ended; what was under way counts as failed. */
  readonly complete: boolean;
  /** Until nothing could happen any more. */
  readonly lasted_ms: number;
  readonly requests: RequestCounts;
  readonly clients: readonly ClientOutcome[];
  readonly served: readonly ServedTarget[];
  readonly latency: LatencyReport;
  readonly routes: readonly RouteReport[];
  /** What the gateway itself asked, to know which routes are back. */
  readonly probes: readonly ProbeReport[];
  /** How many requests took so many sends. */
  readonly attempts: readonly { readonly sends: number; readonly requests: number }[];
  /** What was kept from service, and when; in the order of time. */
  readonly outages: readonly Outage[];
  readonly tokens: TokenReport;
  readonly traffic: Traffic;
  readonly shown: ShownRequest | null;
  /** What the gateway left behind when all was over; a mistake of the gateway, if there is any. */
  readonly leftovers: readonly string[];
};

export type RequestCounts = {
  readonly total: number;
  /** Of those, made by a client that asked again. */
  readonly client_retries: number;
  /** Answered whole, as their clients see it. */
  readonly answered: number;
  /** The client left by itself; neither answered nor failed. */
  readonly left: number;
  readonly failed: number;
  /** Answered, of those that did not leave; null: there is none. */
  readonly success_rate: number | null;
  /** What that rate would be, had every request gone to the first route of its plan and nowhere else. */
  readonly first_route_rate: number | null;
  /** Turns of clients, with all their tries as one; the rate of those whose last try was answered. */
  readonly turns: number;
  readonly turn_success_rate: number | null;
};

/** How an answer looks to its client. */
export type Seen = 'whole' | 'error' | 'half' | 'cut' | 'nothing' | 'left';

export type ClientOutcome = {
  readonly seen: Seen;
  readonly status: number | null;
  readonly code: string | null;
  readonly count: number;
};

export type ServedTarget = {
  readonly target: string;
  readonly count: number;
  /** Of all requests that were answered. */
  readonly share: number;
};

export type Percentiles = {
  readonly count: number;
  readonly p50_ms: number | null;
  readonly p90_ms: number | null;
  readonly p99_ms: number | null;
  readonly max_ms: number | null;
};

/** Until the first output of streams, and until the end of JSON answers. */
export type LatencyReport = {
  /** As the client waits. */
  readonly whole: Percentiles;
  /** What came on top of what the provider that served took itself. */
  readonly added: Percentiles;
  /** The same for those that took more than one send. */
  readonly added_after_failover: Percentiles;
};

export type RouteReport = {
  readonly route: string;
  readonly target: string;
  readonly provider: string;
  readonly sends: number;
  readonly served: number;
  /** How often each outcome came, most first. */
  readonly outcomes: readonly { readonly outcome: string; readonly count: number }[];
};

export type ProbeReport = {
  readonly route: string;
  readonly sends: number;
  /** How often each outcome came, most first. */
  readonly outcomes: readonly { readonly outcome: string; readonly count: number }[];
};

export type Outage = {
  readonly scope: string;
  readonly id: string;
  readonly from_ms: number;
  /** Null: it did not come back. */
  readonly back_ms: number | null;
  /** The states that it went through. */
  readonly states: readonly string[];
  readonly reason: string | null;
};

export type TokenReport = {
  /** Of answers that were delivered. */
  readonly input: number;
  readonly output: number;
  /** Of attempts that were not, as far as they told. */
  readonly wasted_input: number;
  readonly wasted_output: number;
};

/** Requests by the moment at which they came. */
export type Traffic = {
  readonly bucket_ms: number;
  readonly series: readonly { readonly target: string; readonly counts: readonly number[] }[];
  readonly failed: readonly number[];
};

export type ShownRequest = {
  /** From 1, in the order in which they came. */
  readonly n: number;
  readonly id: string;
  /** Why this one. */
  readonly why: string;
  readonly at_ms: number;
  readonly model: string;
  readonly protocol: string;
  readonly stream: boolean;
  readonly status: number | null;
  readonly outcome: string | null;
  readonly served_by: string | null;
  readonly events: readonly ShownEvent[];
};

export type ShownEvent = {
  readonly ms: number;
  /** On which side of the gateway it happens. */
  readonly side: 'client' | 'provider';
  /** `head`, the name of an event, `attempt` … */
  readonly what: string;
  readonly text: string;
  /** So many frames of one kind in a row, the last of them at `last_ms`. */
  readonly frames: number;
  readonly last_ms: number;
};
