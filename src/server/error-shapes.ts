import type { ClientError } from '../core/failure/client-error.ts';
import type { Protocol } from '../core/model/protocol.ts';

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
            metadata: {
              request_id: requestId,
              component: error.component,
              ...(error.shouldRetry === false ? { should_retry: 'false' } : {}),
            },
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
