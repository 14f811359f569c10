import { CATALOGUE } from '../../core/failure/catalogue.ts';
import type { ClientError } from '../../core/failure/client-error.ts';
import { innermostError } from '../../core/failure/innermost.ts';
import type { ProviderError } from '../../core/failure/signal.ts';
import type { Headers } from '../../core/model/protocol.ts';
import { decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { EncodedError, ErrorContext } from '../types.ts';
import { dataFrame } from './emit.ts';
import { errorFromText, parseJson } from './wire-error.ts';

const MAX_ATTEMPTS = 16;

/** Only the beginning of a text can hold its message. */
const MAX_TEXT = 64 * 1024;

/** The innermost error of an answer's body; null when it holds none (HTML, nothing, an answer). */
export function decodeError(status: number | null, headers: Headers, body: Uint8Array): ProviderError | null {
  const text = decodeUtf8(body).trim();
  const json = parseJson(text) ?? parseJson(firstData(text));
  if (json !== undefined && json !== null) {
    if (typeof json === 'string') return errorFromText(json, status);
    return innermostError(json, status);
  }
  const isHtml = text.startsWith('<') || (headers['content-type'] ?? '').includes('html');
  return isHtml || text === '' ? null : errorFromText(text.slice(0, MAX_TEXT), status);
}

/** An error that was sent as an event, though the status had said it all. */
function firstData(text: string): string {
  if (!/^(event|data|error|id|:)/.test(text)) return '';
  return /^(?:data|error):\s*(\{.*)$/m.exec(text)?.[1] ?? '';
}

/** The error object of this protocol, with what the gateway knows beside it. */
function errorObject(error: ClientError, { requestId }: ErrorContext): object {
  return {
    error: {
      message: error.message,
      type: error.providerType ?? CATALOGUE[error.code].openaiType,
      param: error.providerParam,
      code: error.providerCode ?? error.code,
      understudy: {
        request_id: requestId,
        component: error.component,
        reason: error.reason,
        attempts: error.attempts
          .slice(0, MAX_ATTEMPTS)
          .map(({ target, outcome, status, ms }) => ({ target, outcome, status, ms })),
        ...(error.retryAfterMs === null ? {} : { retry_after_ms: error.retryAfterMs }),
        ...(error.shouldRetry === null ? {} : { should_retry: error.shouldRetry }),
      },
    },
  };
}

export function encodeError(error: ClientError, context: ErrorContext): EncodedError {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (error.retryAfterMs !== null) {
    headers['retry-after'] = String(Math.ceil(error.retryAfterMs / 1000));
    headers['retry-after-ms'] = String(Math.ceil(error.retryAfterMs));
  }
  if (error.shouldRetry === false) headers['x-should-retry'] = 'false';
  return { status: error.status, headers, body: encodeUtf8(JSON.stringify(errorObject(error, context))) };
}

/** One data event, and no end mark behind it: client libraries throw at it, as they should. */
export const encodeStreamError = (error: ClientError, context: ErrorContext): Uint8Array =>
  dataFrame(errorObject(error, context));

export const KEEPALIVE: Uint8Array = encodeUtf8(': keepalive\n\n');

/** A comment is one line. */
export const encodeComment = (text: string): Uint8Array => encodeUtf8(`: ${text.replaceAll(/[\r\n]+/g, ' ')}\n\n`);
