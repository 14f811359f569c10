import type { Headers } from '../../core/model/protocol.ts';
import type { Secret } from '../../core/redact/secret.ts';
import { requestHeaders } from '../shared/session.ts';

/** Versions of the protocol that clients ask for and providers know, the one for everybody else first. */
const VERSIONS = ['2023-06-01', '2026-10-21'] as const;

/** The header by which Claude Code tells its session. */
export const OWN_SESSION_HEADERS = ['x-claude-code-session-id'] as const;

/** The version that the client asked for, if it is known. */
export function versionOf(headers: Headers): string {
  const asked = headers['anthropic-version']?.trim();
  return VERSIONS.find((version) => version === asked) ?? VERSIONS[0];
}

/** A provider without a key gets no header. */
export const authHeaders = (secret: Secret): Headers => (secret.isEmpty ? {} : { 'x-api-key': secret.reveal() });

export const messagesHeaders = (stream: boolean, version: string): Headers => ({
  ...requestHeaders(stream),
  'anthropic-version': version,
});
