import type { Component, Outcome } from './outcome.ts';

/** Every code that the gateway itself gives to clients; `core/failure/catalogue` says what each means. */
export type ErrorCode =
  | 'rate_limit_exceeded'
  | 'insufficient_quota'
  | 'service_unavailable'
  | 'outcome_unknown'
  | 'upstream_timeout'
  | 'upstream_error'
  | 'route_misconfigured'
  | 'context_length_exceeded'
  | 'content_policy_violation'
  | 'request_too_large'
  | 'unsupported_capability'
  | 'no_target_available'
  | 'budget_exceeded'
  | 'previous_response_not_found'
  | 'resource_gone'
  | 'not_found'
  | 'model_not_found'
  | 'invalid_api_key'
  | 'model_not_allowed'
  | 'invalid_request_error'
  | 'gateway_overloaded'
  | 'forbidden'
  | 'stream_interrupted'
  | 'method_not_allowed'
  | 'internal_error';

/**
 * An error as a client is to be told it, free of any protocol: `encodeError` of the client's codec gives it its form
 * (and its status, where protocols differ: 503 is 529 for Anthropic clients when the class is overload).
 */
export type ClientError = {
  readonly code: ErrorCode;
  /** A provider's own code, param and type, kept where the request was at fault (row 20). */
  readonly providerCode: string | null;
  readonly providerParam: string | null;
  readonly providerType: string | null;
  readonly status: number;
  readonly message: string;
  readonly component: Component;
  /** For people and programs: the outcome word or clock that decided. */
  readonly reason: string;
  readonly attempts: readonly {
    readonly target: string;
    readonly outcome: Outcome;
    readonly status: number | null;
    readonly ms: number;
  }[];
  /** Already capped, jittered and rounded up to whole seconds in ms; null: not told. */
  readonly retryAfterMs: number | null;
  /** `false` says that a repeat can't help; null leaves it to the client. */
  readonly shouldRetry: false | null;
};
