/** `health` of the configuration file; durations in milliseconds. */
export type HealthSettings = {
  readonly breaker: {
    readonly failures: number;
    readonly windowMs: number;
    readonly openMs: number;
    readonly maxOpenMs: number;
    readonly slowFactor: number;
    readonly maxSlowOpenMs: number;
  };
  readonly cooldown: {
    readonly rateLimitedMs: number;
    readonly quotaMs: number;
    readonly authMs: number;
    readonly permissionMs: number;
    readonly notFoundMs: number;
    readonly retiredMs: number;
    readonly maxMs: number;
  };
};
