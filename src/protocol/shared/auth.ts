import type { AuthScheme, Headers } from '../../core/model/protocol.ts';
import type { Secret } from '../../core/redact/secret.ts';

const SCHEMES: { readonly [S in AuthScheme]: (key: string) => Headers } = {
  bearer: (key) => ({ authorization: `Bearer ${key}` }),
  'x-api-key': (key) => ({ 'x-api-key': key }),
};

/** A provider without a key gets no header. */
export const keyHeaders = (secret: Secret, scheme: AuthScheme): Headers =>
  secret.isEmpty ? {} : SCHEMES[scheme](secret.reveal());
