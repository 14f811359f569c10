import type { ClientError, ErrorCode } from '../../core/failure/client-error.ts';

type Words = { readonly code: string; readonly message: string };

/**
 * Codes of a failed response on which Codex ends its turn with the message, or compacts its conversation. A status it
 * would repeat, up to thirty times. Null: no total failure, told as it is to everybody.
 */
const CODEX_CODES: Readonly<Record<ErrorCode, string | null>> = {
  rate_limit_exceeded: 'server_is_overloaded',
  insufficient_quota: 'insufficient_quota',
  budget_exceeded: 'insufficient_quota',
  service_unavailable: 'server_is_overloaded',
  no_target_available: 'server_is_overloaded',
  gateway_overloaded: 'server_is_overloaded',
  outcome_unknown: 'server_is_overloaded',
  upstream_timeout: 'server_is_overloaded',
  upstream_error: 'server_is_overloaded',
  route_misconfigured: 'server_is_overloaded',
  internal_error: 'server_is_overloaded',
  context_length_exceeded: 'context_length_exceeded',
  content_policy_violation: 'invalid_prompt',
  request_too_large: 'invalid_prompt',
  unsupported_capability: 'invalid_prompt',
  previous_response_not_found: 'invalid_prompt',
  resource_gone: 'invalid_prompt',
  not_found: 'invalid_prompt',
  model_not_found: 'invalid_prompt',
  invalid_request_error: 'invalid_prompt',
  invalid_api_key: null,
  model_not_allowed: null,
  forbidden: null,
  method_not_allowed: null,
  // Behind output the client has something to go on with: it may ask again.
  stream_interrupted: null,
};

/**
 * A total failure in words that Codex acts on; null where it is to be told as to everybody. A wait that is known is
 * told in the one form that it reads: a rate limit, and the seconds in the message.
 */
export function inManner(error: ClientError): Words | null {
  const code = CODEX_CODES[error.code];
  if (code === null) return null;
  if (error.retryAfterMs === null) return { code, message: error.message };
  const seconds = (Math.ceil(error.retryAfterMs / 100) / 10).toFixed(1);
  const message = error.message.replace(/\s*(?:please )?try again in [\d.]+ ?m?s\.?/gi, '').trim();
  return { code: 'rate_limit_exceeded', message: `${message} Please try again in ${seconds}s.`.trim() };
}
