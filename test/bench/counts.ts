/** What a gateway did while it was counted. */
export type Counts = {
  readonly parses: number;
  readonly timers: number;
  /** Chunks that came from the provider. */
  readonly reads: number;
  /** Writes to clients, each one call of the system. */
  readonly writes: number;
  /** Bytes of the JavaScript heap, whether or not they were freed meanwhile; sampled. */
  readonly allocated: number;
};
