import type { AuthScheme, Headers } from '../../core/model/protocol.ts';
import type { Secret } from '../../core/redact/secret.ts';
import { keyHeaders } from '../shared/auth.ts';
import { requestHeaders } from '../shared/session.ts';
import { withBeta } from './betas.ts';

/** Versions of the protocol that clients ask for and providers know, the one for everybody else first. */
const VERSIONS = ['2023-06-01', '2026-10-21'] as const;

/** The version that every provider knows. */
export const COMMON_VERSION: string = VERSIONS[0];

/** The version that the client asked for, if it is known. */
export function versionOf(headers: Headers): string {
  const asked = headers['anthropic-version']?.trim();
  return VERSIONS.find((version) => version === asked) ?? COMMON_VERSION;
}

/** A token of a subscription looks like this: it is no API key, and goes as Bearer with a flag. */
const OAUTH_TOKEN = /^sk-ant-oat/;
const OAUTH_BETA = 'oauth-2025-04-20';

/** `headers`: those that go along; a flag that a token needs joins the flags among them. */
export function authHeaders(secret: Secret, scheme?: AuthScheme, headers: Headers = {}): Headers {
  const isToken = !secret.isEmpty && OAUTH_TOKEN.test(secret.reveal());
  const auth = keyHeaders(secret, scheme ?? (isToken ? 'bearer' : 'x-api-key'));
  return isToken && auth['authorization'] !== undefined ? { ...auth, ...withBeta(headers, OAUTH_BETA) } : auth;
}

export const messagesHeaders = (stream: boolean, version: string): Headers => ({
  ...requestHeaders(stream),
  'anthropic-version': version,
});
