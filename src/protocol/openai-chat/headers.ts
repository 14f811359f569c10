import type { Headers } from '../../core/model/protocol.ts';
import type { ConversationHints } from '../../core/model/request.ts';
import type { Secret } from '../../core/redact/secret.ts';
import { nonEmpty } from './types.ts';

/** A provider without a key gets no header. */
export const authHeaders = (secret: Secret): Headers =>
  secret.isEmpty ? {} : { authorization: `Bearer ${secret.reveal()}` };

export const requestHeaders = (stream: boolean): Headers => ({
  'content-type': 'application/json',
  accept: stream ? 'text/event-stream' : 'application/json',
});

/** Header names by which clients tell which session a request belongs to, the surest first. */
const SESSION_HEADERS = ['x-session-id', 'session-id', 'x-session-affinity'] as const;

export function sessionOf(headers: Headers): ConversationHints['sessionId'] {
  for (const name of SESSION_HEADERS) {
    const value = nonEmpty(headers[name]?.trim());
    if (value !== null) return value;
  }
  return null;
}
