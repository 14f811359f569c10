import type { Headers, Protocol } from '../../core/model/protocol.ts';
import type { ConversationHints } from '../../core/model/request.ts';
import { nonEmpty } from './value.ts';

export type SessionHeader = {
  readonly name: string;
  /** Whose clients name a conversation by it: then it keeps that on its route. `none`: it names less than one. */
  readonly session: readonly Protocol[] | 'all' | 'none';
};

/**
 * Every header by which clients say what a request belongs to, the surest name of a conversation first. A thread
 * outlives its sessions, but several agents of one session have a thread each. With the same body, all of them together
 * tell a client's repeat from a new request.
 */
export const SESSION_HEADERS: readonly SessionHeader[] = [
  { name: 'x-claude-code-session-id', session: ['anthropic-messages'] },
  { name: 'x-session-id', session: 'all' },
  { name: 'session-id', session: 'all' },
  { name: 'session_id', session: ['openai-responses'] },
  { name: 'thread-id', session: ['openai-responses'] },
  { name: 'x-session-affinity', session: 'all' },
  { name: 'x-client-request-id', session: 'none' },
];

/** The session that a client of this protocol names; null: none. */
export function sessionOf(headers: Headers, protocol: Protocol): ConversationHints['sessionId'] {
  for (const { name, session } of SESSION_HEADERS) {
    if (session === 'none' || (session !== 'all' && !session.includes(protocol))) continue;
    const value = nonEmpty(headers[name]?.trim());
    if (value !== null) return value;
  }
  return null;
}

export const requestHeaders = (stream: boolean): Headers => ({
  'content-type': 'application/json',
  accept: stream ? 'text/event-stream' : 'application/json',
});
