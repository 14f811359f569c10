import type { AuthScheme, Headers } from '../../core/model/protocol.ts';
import type { Secret } from '../../core/redact/secret.ts';
import { keyHeaders } from '../shared/auth.ts';

/** A token of Google's OAuth looks like this: it is no API key, and goes as Bearer. */
const OAUTH_TOKEN = /^ya29\./;

export function authHeaders(secret: Secret, scheme?: AuthScheme): Headers {
  if (scheme !== undefined) return keyHeaders(secret, scheme);
  if (secret.isEmpty) return {};
  const key = secret.reveal();
  return OAUTH_TOKEN.test(key) ? keyHeaders(secret, 'bearer') : { 'x-goog-api-key': key };
}
