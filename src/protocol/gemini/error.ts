import { CATALOGUE } from '../../core/failure/catalogue.ts';
import type { ClientError } from '../../core/failure/client-error.ts';
import { encodeUtf8 } from '../json/index.ts';
import { errorHeaders, understudyMember } from '../shared/client-error.ts';
import type { EncodedError, ErrorContext } from '../types.ts';
import { dataFrame } from './emit.ts';

const TYPES = 'type.googleapis.com/google.rpc.';

/** A provider's own word is kept where it is one of Google's. */
const STATUS_WORD = /^[A-Z][A-Z_]{2,63}$/;

/** The error object of this protocol, with what the gateway knows beside it; details as Google's libraries read them. */
function errorObject(error: ClientError, context: ErrorContext): object {
  const { providerType, providerParam, retryAfterMs, message } = error;
  const details: object[] = [
    {
      '@type': `${TYPES}ErrorInfo`,
      reason: error.providerCode ?? error.code,
      domain: 'understudy',
      metadata: {
        request_id: context.requestId,
        component: error.component,
        ...(error.shouldRetry === false ? { should_retry: 'false' } : {}),
      },
    },
  ];
  if (retryAfterMs !== null) {
    details.push({ '@type': `${TYPES}RetryInfo`, retryDelay: `${Math.ceil(retryAfterMs / 1000)}s` });
  }
  if (providerParam !== null) {
    const violation = { field: providerParam, description: message };
    details.push({ '@type': `${TYPES}BadRequest`, fieldViolations: [violation] });
  }
  const isWord = providerType !== null && STATUS_WORD.test(providerType);
  return {
    error: {
      code: error.status,
      message,
      status: isWord ? providerType : CATALOGUE[error.code].geminiStatus,
      details,
      understudy: understudyMember(error, context),
    },
  };
}

export const encodeError = (error: ClientError, context: ErrorContext): EncodedError => ({
  status: error.status,
  headers: errorHeaders(error),
  body: encodeUtf8(JSON.stringify(errorObject(error, context))),
});

/** The last data event of a stream: client libraries throw at it, as they should. */
export const encodeStreamError = (error: ClientError, context: ErrorContext): Uint8Array =>
  dataFrame(errorObject(error, context));

export const KEEPALIVE: Uint8Array = encodeUtf8(': keepalive\n\n');
