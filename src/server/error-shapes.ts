import type { ClientError } from '../core/failure/client-error.ts';
import type { Protocol } from '../core/model/protocol.ts';

/** The gateway's own member of an error object. Errors of the server itself have no attempts. */
function understudy(error: ClientError, requestId: string): Record<string, unknown> {
  return {
    request_id: requestId,
    component: error.component,
    reason: error.reason,
    attempts: [],
    ...(error.retryAfterMs === null ? {} : { retry_after_ms: error.retryAfterMs }),
    ...(error.shouldRetry === null ? {} : { should_retry: error.shouldRetry }),
  };
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  529: 'overloaded_error',
};

const GOOGLE_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

type Shape = { readonly status: number; readonly body: unknown };

/**
 * Errors of the server itself for clients of protocols that have no codec yet: they ask on paths that are known and not
 * served, and are told so in words that their libraries read.
 */
const SHAPES: { readonly [P in Protocol]?: (error: ClientError, requestId: string) => Shape } = {
  'anthropic-messages': (error, requestId) => ({
    status: error.status === 503 ? 529 : error.status,
    body: {
      type: 'error',
      error: {
        type: ANTHROPIC_TYPES[error.status] ?? (error.status < 500 ? 'invalid_request_error' : 'api_error'),
        message: error.message,
        understudy: understudy(error, requestId),
      },
      request_id: requestId,
    },
  }),
  gemini: (error, requestId) => ({
    status: error.status,
    body: {
      error: {
        code: error.status,
        message: error.message,
        status: GOOGLE_STATUS[error.status] ?? (error.status < 500 ? 'FAILED_PRECONDITION' : 'INTERNAL'),
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: error.code,
            domain: 'understudy',
            metadata: { request_id: requestId, component: error.component },
          },
        ],
      },
    },
  }),
};

/** The error in a protocol's own form, or null when this protocol's codec has to give it. */
export function shapeError(protocol: Protocol, error: ClientError, requestId: string): Shape | null {
  return SHAPES[protocol]?.(error, requestId) ?? null;
}
