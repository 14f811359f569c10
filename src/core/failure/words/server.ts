/** Row 14. */
export const UNAVAILABLE_CODES = [
  'model_unavailable',
  'model_not_ready',
  'ModelNotReadyException',
  'model_loading',
  'model_warming_up',
] as const;

export const UNAVAILABLE_WORDS = ['model * is currently loading', 'model is loading', 'loading model'] as const;

/** Row 15. */
export const SIZE_LABELS = ['request_too_large', 'payload_too_large', 'request_entity_too_large'] as const;

/** Row 16. */
export const GATEWAY_LABELS = ['bad_gateway', 'gateway_timeout', 'deadline_exceeded'] as const;

/** Row 17. */
export const SERVER_LABELS = [
  'server_error',
  'internal_server_error',
  'internal_error',
  'internal',
  'api_error',
  'upstream_error',
  'service_unavailable',
  'service_unavailable_error',
  'unavailable',
  'InternalServerException',
  'ServiceUnavailableException',
  'ModelStreamErrorException',
  'ModelErrorException',
] as const;

/** Labels that blame the request (row 20); inside a stream they are not believed (row 17). */
export const BAD_REQUEST_LABELS = [
  'invalid_request_error',
  'invalid_request',
  'bad_request',
  'bad_request_error',
  'invalid_argument',
  'failed_precondition',
  'out_of_range',
  'ValidationException',
  'validation_error',
  'unprocessable_entity',
  'invalid_parameter',
  'invalid_parameter_error',
  'invalid_value',
  'invalid_type',
  'unsupported_parameter',
  'unsupported_value',
  'unknown_parameter',
  'missing_required_parameter',
] as const;

/** Reasons of a finish that say "I failed", over all protocols. */
export const FAILED_FINISHES = ['error', 'failed', 'server_error', 'network_error', 'OTHER', 'cancelled'] as const;
export const FILTERED_FINISHES = [
  'content_filter',
  'content_filtered',
  'refusal',
  'sensitive',
  'guardrail_intervened',
  'SAFETY',
  'PROHIBITED_CONTENT',
  'BLOCKLIST',
  'SPII',
  'RECITATION',
  'IMAGE_SAFETY',
] as const;
