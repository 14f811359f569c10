import { CATALOGUE } from '../../core/failure/catalogue.ts';
import type { ClientError } from '../../core/failure/client-error.ts';
import { encodeUtf8 } from '../json/index.ts';
import { errorHeaders, understudyMember } from '../shared/client-error.ts';
import type { EncodedError, ErrorContext } from '../types.ts';
import { eventBytes } from './emit.ts';
import { inManner } from './manner.ts';

/** The error object of this protocol, with what the gateway knows beside it. */
const errorObject = (error: ClientError, context: ErrorContext, words: { code: string; message: string }): object => ({
  message: words.message,
  type: error.providerType ?? CATALOGUE[error.code].openaiType,
  param: error.providerParam,
  code: words.code,
  understudy: understudyMember(error, context),
});

const ownWords = (error: ClientError): { code: string; message: string } => ({
  code: error.providerCode ?? error.code,
  message: error.message,
});

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/**
 * An error in place of an answer. A client that repeats every status gets a stream instead that holds nothing but its
 * failure, unless it can be told how long to wait: that it obeys.
 */
export function encodeError(error: ClientError, context: ErrorContext): EncodedError {
  if (context.manner === 'codex' && error.retryAfterMs === null && inManner(error) !== null) {
    return { status: 200, headers: STREAM_HEADERS, body: encodeStreamError(error, { ...context, sequence: null }) };
  }
  const body = encodeUtf8(JSON.stringify({ error: errorObject(error, context, ownWords(error)) }));
  return { status: error.status, headers: errorHeaders(error), body };
}

/**
 * The terminal event of a failed stream, with the whole response object that agents read, also where no response was
 * opened. Its number follows the last one that the client got; a stream whose events have no numbers gets none here.
 */
export function encodeStreamError(error: ClientError, context: ErrorContext): Uint8Array {
  const words = (context.manner === 'codex' ? inManner(error) : null) ?? ownWords(error);
  const { sequence } = context;
  return eventBytes({
    type: 'response.failed',
    ...(sequence === undefined ? {} : { sequence_number: sequence === null ? 0 : sequence + 1 }),
    response: {
      id: context.answerId ?? ownId(context.requestId),
      object: 'response',
      created_at: 0,
      status: 'failed',
      error: errorObject(error, context, words),
      incomplete_details: null,
      output: [],
      usage: null,
    },
  });
}

/** An id that says whose it is: no provider knows it. */
const ownId = (requestId: string): string => `resp_${requestId.replace(/^req_/, '')}`;

export const KEEPALIVE: Uint8Array = encodeUtf8(': keepalive\n\n');
