import type { Headers } from '../../core/model/protocol.ts';
import type { Secret } from '../../core/redact/secret.ts';

/** A provider without a key gets no header. */
export const authHeaders = (secret: Secret): Headers =>
  secret.isEmpty ? {} : { authorization: `Bearer ${secret.reveal()}` };
