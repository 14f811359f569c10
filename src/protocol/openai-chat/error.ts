import { CATALOGUE } from '../../core/failure/catalogue.ts';
import type { ClientError } from '../../core/failure/client-error.ts';
import { encodeUtf8 } from '../json/index.ts';
import { errorHeaders, understudyMember } from '../shared/client-error.ts';
import type { EncodedError, ErrorContext } from '../types.ts';
import { dataFrame } from './emit.ts';

/** The error object of this protocol, with what the gateway knows beside it. */
function errorObject(error: ClientError, context: ErrorContext): object {
  return {
    error: {
      message: error.message,
      type: error.providerType ?? CATALOGUE[error.code].openaiType,
      param: error.providerParam,
      code: error.providerCode ?? error.code,
      understudy: understudyMember(error, context),
    },
  };
}

export const encodeError = (error: ClientError, context: ErrorContext): EncodedError => ({
  status: error.status,
  headers: errorHeaders(error),
  body: encodeUtf8(JSON.stringify(errorObject(error, context))),
});

/** One data event, and no end mark behind it: client libraries throw at it, as they should. */
export const encodeStreamError = (error: ClientError, context: ErrorContext): Uint8Array =>
  dataFrame(errorObject(error, context));

export const KEEPALIVE: Uint8Array = encodeUtf8(': keepalive\n\n');
