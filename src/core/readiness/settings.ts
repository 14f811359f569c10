/** `readiness.probe` of the configuration file; durations in milliseconds. */
export type ProbeSettings = {
  /**
   * `off`: nobody is probed. `recovery`: routes that are out, when their hold or circuit ends. `full`: rounds over all
   * routes as well. Null: nobody has said, so `full` where a model has targets out of a catalogue, else `recovery`.
   */
  readonly mode: 'off' | 'recovery' | 'full' | null;
  /** From the start of a round to that of the next; a route that traffic has proved within it is not probed. */
  readonly everyMs: number;
  /** Ready routes of a model at which its round ends. */
  readonly targetReady: number;
  /** Probes of a round, over all of its models. */
  readonly maxProbes: number;
  /** From its start on, discovery included; probes under way run to their own end. */
  readonly maxTimeMs: number;
  /** Tokens of a round, asked for and reported. */
  readonly maxTokens: number;
  /** An answer that takes longer shows a slow route. */
  readonly slowAfterMs: number;
  /** Limit of the answer's tokens, and of the one repeat where that left no room for text. */
  readonly tokens: number;
  readonly escalatedTokens: number;
  /** Such repeats of a round, per account. */
  readonly maxEscalations: number;
  /** Rounds may probe targets out of a catalogue that are not free. */
  readonly priced: boolean;
};
