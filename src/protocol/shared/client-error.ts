import type { ClientError } from '../../core/failure/client-error.ts';
import type { Headers } from '../../core/model/protocol.ts';
import { encodeUtf8 } from '../json/index.ts';
import type { ErrorContext } from '../types.ts';

const MAX_ATTEMPTS = 16;

/**
 * What the gateway knows of an error beside the protocol's own words; the member `understudy` of every error object.
 */
export function understudyMember(error: ClientError, { requestId }: ErrorContext): object {
  return {
    request_id: requestId,
    component: error.component,
    reason: error.reason,
    attempts: error.attempts
      .slice(0, MAX_ATTEMPTS)
      .map(({ target, outcome, status, ms }) => ({ target, outcome, status, ms })),
    ...(error.retryAfterMs === null ? {} : { retry_after_ms: error.retryAfterMs }),
    ...(error.shouldRetry === null ? {} : { should_retry: error.shouldRetry }),
  };
}

/** Headers of an error answer: how long to wait, or that waiting is useless. */
export function errorHeaders(error: ClientError): Headers {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (error.retryAfterMs !== null) {
    headers['retry-after'] = String(Math.ceil(error.retryAfterMs / 1000));
    headers['retry-after-ms'] = String(Math.ceil(error.retryAfterMs));
  }
  if (error.shouldRetry === false) headers['x-should-retry'] = 'false';
  return headers;
}

/** A comment is one line. */
export const encodeComment = (text: string): Uint8Array => encodeUtf8(`: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`);
