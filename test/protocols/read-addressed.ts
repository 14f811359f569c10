import type { Protocol } from '../../src/core/model/protocol.ts';
import type { CanonicalRequest } from '../../src/core/model/request.ts';
import { CODECS } from '../../src/protocol/index.ts';
import { concatBytes } from '../../src/protocol/json/index.ts';
import type { EncodedRequest } from '../../src/protocol/types.ts';

/** A request as a gateway would read it that somebody sends it to. */
export function readAddressed(protocol: Protocol, written: EncodedRequest): CanonicalRequest {
  const headers = protocol === 'gemini' ? { ...written.headers, ':path': `/v1beta${written.path}` } : written.headers;
  const decoded = CODECS.get(protocol)?.decodeRequest(concatBytes([...written.body]), headers);
  if (decoded === undefined || !decoded.ok) throw new Error(`${protocol}: ${decoded?.problem.message ?? 'unknown'}`);
  return decoded.request;
}
