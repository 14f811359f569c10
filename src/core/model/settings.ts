/**
 * Effective settings of a virtual model or of one of its targets. In the file they may stand at a target, a model, a
 * provider or `modelDefaults`; the nearest wins. Durations are milliseconds, sizes bytes.
 */
export type ModelSettings = {
  readonly commitOn: 'output' | 'answer';
  readonly onEmpty: 'next' | 'accept';
  readonly onContentPolicy: 'stop' | 'next';
  readonly onMalformed: 'fail' | 'drop';
  readonly holdToolEnd: boolean | 'all';
  readonly midStream: 'error' | 'continue';
  readonly exhausted: 'auto' | 'status';
  readonly responseModel: 'upstream' | 'virtual';
  readonly usage: 'ask' | 'client';
  readonly replay: 'auto' | 'always' | 'safe';
  /** When a target serves clients of other protocols: where it stands, behind those that need no translation, never. */
  readonly translate: 'in-order' | 'last' | 'never';
  readonly keepalive: { readonly afterMs: number; readonly everyMs: number } | null;
  readonly retry: RetrySettings;
  readonly timeouts: Timeouts;
  readonly preflight: { readonly maxBytes: number; readonly maxEvents: number; readonly maxJson: number };
  readonly defaults: { readonly reasoningEffort?: string; readonly maxOutputTokens?: number };
};

export type RetrySettings = {
  readonly sameTarget: 'auto' | number;
  readonly maxAttempts: number;
  readonly waitForCooldownMs: number;
  readonly preferSameTarget: boolean;
};

/** The clocks of failover.md, section 3. `connect` … `whole` are of an attempt, `commit` and `total` of the request. */
export type Timeouts = {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly firstOutputMs: number;
  readonly idleMs: number;
  readonly progressMs: number;
  readonly wholeMs: number;
  readonly commitMs: number;
  readonly totalMs: number;
};
