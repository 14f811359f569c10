import { CATALOGUE } from '../../core/failure/catalogue.ts';
import type { ClientError } from '../../core/failure/client-error.ts';
import { encodeUtf8 } from '../json/index.ts';
import { errorHeaders, understudyMember } from '../shared/client-error.ts';
import type { EncodedError, ErrorContext } from '../types.ts';
import { eventFrame } from './emit.ts';

const OVERLOADED = 529;

/** The error of this protocol. Codes that a provider gave stand beside the type, where no client library minds them. */
function errorEvent(error: ClientError, context: ErrorContext): Readonly<Record<string, unknown>> & { type: 'error' } {
  return {
    type: 'error',
    error: {
      type: error.providerType ?? CATALOGUE[error.code].anthropicType,
      message: error.message,
      ...(error.providerCode === null ? {} : { code: error.providerCode }),
      ...(error.providerParam === null ? {} : { param: error.providerParam }),
      // Where the version of 2026-10-21 has the finer word; clients of the older one pass over it.
      details: { error_code: error.providerCode ?? error.code },
      understudy: understudyMember(error, context),
    },
    request_id: context.requestId,
  };
}

export const encodeError = (error: ClientError, context: ErrorContext): EncodedError => ({
  status: CATALOGUE[error.code].overload ? OVERLOADED : error.status,
  headers: errorHeaders(error),
  body: encodeUtf8(JSON.stringify(errorEvent(error, context))),
});

/** `event: error`, and no `message_stop` behind it. */
export const encodeStreamError = (error: ClientError, context: ErrorContext): Uint8Array =>
  eventFrame(errorEvent(error, context));

/** Client libraries know it in every place of a stream, before `message_start` too. */
export const KEEPALIVE: Uint8Array = eventFrame({ type: 'ping' });
