import type { Headers } from '../../core/model/protocol.ts';
import type { ConversationHints } from '../../core/model/request.ts';
import { nonEmpty } from './value.ts';

/** Header names by which clients tell which session a request belongs to, the surest first. */
const SESSION_HEADERS = ['x-session-id', 'session-id', 'x-session-affinity'] as const;

/** `first`: names that a protocol's own clients use, believed before the common ones. */
export function sessionOf(headers: Headers, first: readonly string[] = []): ConversationHints['sessionId'] {
  for (const name of [...first, ...SESSION_HEADERS]) {
    const value = nonEmpty(headers[name]?.trim());
    if (value !== null) return value;
  }
  return null;
}

export const requestHeaders = (stream: boolean): Headers => ({
  'content-type': 'application/json',
  accept: stream ? 'text/event-stream' : 'application/json',
});
