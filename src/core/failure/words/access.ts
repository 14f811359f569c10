/** Row 10. Numbers are Zhipu's. */
export const KEY_CODES = [
  'invalid_api_key',
  'incorrect_api_key',
  'API_KEY_INVALID',
  'API_KEY_EXPIRED',
  'api_key_expired',
  'invalid_authentication',
  'invalid_token',
  'token_expired',
  'invalid_x_api_key',
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'ExpiredTokenException',
  'account_deactivated',
  '1000',
  '1001',
  '1002',
  '1003',
  '1004',
] as const;

/** Labels that say no more than a 401 does. */
export const AUTH_LABELS = ['authentication_error', 'unauthenticated', 'unauthorized', 'auth_error'] as const;

export const KEY_WORDS = [
  'api key',
  'api_key',
  'apikey',
  'api token',
  'access token',
  'auth token',
  'bearer token',
  'invalid token',
  'invalid key',
  'invalid credentials',
  'invalid authentication',
  'authentication failed',
  'not authenticated',
  'key * expired',
  'key * revoked',
  'key * disabled',
  'key * invalid',
] as const;

/** Key words that are believed at a 400 too: Gemini answers so. */
export const BAD_KEY_WORDS = ['api key not valid', 'api key expired', 'invalid api key', 'incorrect api key'] as const;

/** Row 11. */
export const PERMISSION_LABELS = [
  'permission_error',
  'permission_denied',
  'forbidden',
  'access_denied',
  'AccessDeniedException',
  'unsupported_country_region_territory',
  '1220',
] as const;

/** Row 12. */
export const MODEL_CODES = [
  'model_not_found',
  'model_not_exist',
  'model_does_not_exist',
  'model_not_supported',
  'model_not_available',
  'model_not_allowed',
  'unsupported_model',
  'unknown_model',
  'invalid_model',
  'invalid_model_error',
  'invalid_model_id',
  'DeploymentNotFound',
  'no_such_model',
  '1211',
] as const;

export const NOT_FOUND_LABELS = ['not_found_error', 'not_found', 'NotFoundError', 'ResourceNotFoundException'] as const;

export const MODEL_WORDS = [
  'model does not exist',
  'model ~ does not exist',
  'model * does not exist',
  'model not found',
  'model ~ not found',
  'model * was not found',
  'model * could not be found',
  'model is not supported',
  'model ~ is not supported',
  'model not supported',
  'model is unavailable',
  'model ~ is not available',
  'model is not available',
  'model * is not a valid model',
  'not a valid model id',
  'no such model',
  'unknown model',
  'invalid model',
  'invalid model name',
  'unsupported model',
] as const;

/** A 404 that speaks of a thing of the request and not of the model (row 20). */
export const ITEM_WORDS = [
  'item with id',
  'response with id',
  'response not found',
  'conversation with id',
  'conversation not found',
  'file * not found',
  'file with id',
  'no such file',
  'no file found',
  'image * not found',
  'vector store * not found',
  'container * not found',
  'thread * not found',
  'batch * not found',
  'prompt * not found',
  'cached content * not found',
  'items are not persisted',
] as const;

export const ITEM_CODES = [
  'item_not_found',
  'response_not_found',
  'conversation_not_found',
  'file_not_found',
  'image_file_not_found',
  'vector_store_not_found',
  'container_not_found',
  'batch_not_found',
] as const;

/** Row 13. 1302 and 1303 are Zhipu's. */
export const RATE_LABELS = [
  'rate_limit_exceeded',
  'rate_limit_error',
  'rate_limit',
  'rate_limited',
  'rate_limit_reached',
  'rate_limit_reached_error',
  'too_many_requests',
  'TooManyRequestsException',
  'ThrottlingException',
  'throttled',
  'Throttling.RateQuota',
  'Throttling.AllocationQuota',
  'resource_exhausted',
  'quota_exceeded',
  'concurrency_limit_exceeded',
  'requests',
  'tokens',
  '1302',
  '1303',
] as const;

export const RATE_WORDS = [
  'rate limit',
  'rate limits',
  'rate limited',
  'rate-limited',
  'ratelimit',
  'too many requests',
  'high concurrency',
  'concurrency limit',
  'throttled',
] as const;
