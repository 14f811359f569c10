/** The state words of the API, for a route, a credential or an endpoint. */
export type AvailabilityState = 'ready' | 'slow' | 'deferred' | 'open' | 'half_open' | 'rejected' | 'disabled';

/** Whether a scope can be used at a moment, why not, and until when. */
export type Availability = {
  readonly state: AvailabilityState;
  /** What put it there: an outcome word, or `operator` for a disabled one; null while ready. */
  readonly cause: string | null;
  /** For people. */
  readonly reason: string | null;
  readonly since: number | null;
  /** The next possible use, epoch ms; null when there is nothing to wait for. */
  readonly until: number | null;
  /** `until` is a server's own word. */
  readonly told: boolean;
  /** The scope that holds it: a route may be held by its credential or endpoint. */
  readonly scope: 'route' | 'target' | 'credential' | 'endpoint';
};
