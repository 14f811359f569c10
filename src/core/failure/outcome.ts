/** How an attempt, a request or a candidate ended: one list for the ledger, metrics, API, docs and tests. */
export const OUTCOMES = [
  'ok',
  'ok_truncated',
  'ok_filtered',
  'refused',
  'interrupted',
  'client_closed',
  'rate_limited',
  'quota_exhausted',
  'overloaded',
  'server_error',
  'bad_gateway',
  'connect_error',
  'stale_socket',
  'timeout_connect',
  'timeout_headers',
  'timeout_first_output',
  'timeout_idle',
  'timeout_progress',
  'timeout_whole',
  'timeout_commit',
  'timeout_total',
  'outcome_unknown',
  'protocol_error',
  'empty_stream',
  'empty_completion',
  'incomplete_stream',
  'auth',
  'permission',
  'billing',
  'model_not_found',
  'model_gone',
  'model_unavailable',
  'context_length',
  'payload_too_large',
  'content_policy',
  'unsupported_capability',
  'incompatible_history',
  'bad_request',
  'bad_generation',
  'hedge_lost',
  'abandoned',
  'skipped_cooldown',
  'skipped_circuit',
  'skipped_capability',
  'skipped_state',
  'skipped_disabled',
  'skipped_budget',
  'skipped_busy',
  'rejected',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Limits of one attempt that its provider's silence runs into. */
export const ATTEMPT_TIMEOUTS = [
  'timeout_connect',
  'timeout_headers',
  'timeout_first_output',
  'timeout_idle',
  'timeout_progress',
  'timeout_whole',
] as const satisfies readonly Outcome[];

export type AttemptTimeout = (typeof ATTEMPT_TIMEOUTS)[number];

/** Limits of the whole request: hitting one blames nobody. */
export const DEADLINES = ['timeout_commit', 'timeout_total'] as const satisfies readonly Outcome[];

export type Deadline = (typeof DEADLINES)[number];

const isOneOf =
  <W extends string>(words: readonly W[]) =>
  (word: string | null | undefined): word is W =>
    words.some((each) => each === word);

export const isAttemptTimeout = isOneOf<AttemptTimeout>(ATTEMPT_TIMEOUTS);

export const isDeadline = isOneOf<Deadline>(DEADLINES);

/** Outcomes of candidates that were not tried. */
export type SkipOutcome = Extract<Outcome, `skipped_${string}`>;

/** Whose fault an error is. */
export type Component = 'client' | 'gateway' | 'credential' | 'target' | 'endpoint' | 'policy' | 'deadline';

/** Phases of an attempt. */
export type Phase = 'connecting' | 'sent' | 'preflight' | 'streaming' | 'done';
