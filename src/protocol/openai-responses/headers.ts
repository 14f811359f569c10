import type { Headers } from '../../core/model/protocol.ts';
import type { Secret } from '../../core/redact/secret.ts';

/** A provider without a key gets no header. */
export const authHeaders = (secret: Secret): Headers =>
  secret.isEmpty ? {} : { authorization: `Bearer ${secret.reveal()}` };

/**
 * Names by which clients of this protocol tell which session a request belongs to, the surest first. A thread outlives
 * its sessions, but several agents of one session have a thread each.
 */
export const SESSION_HEADERS: readonly string[] = ['x-session-id', 'session-id', 'session_id', 'thread-id'];
