import type { AuthScheme, Headers } from '../../core/model/protocol.ts';
import type { Secret } from '../../core/redact/secret.ts';
import { keyHeaders } from '../shared/auth.ts';

export const authHeaders = (secret: Secret, scheme: AuthScheme = 'bearer'): Headers => keyHeaders(secret, scheme);
