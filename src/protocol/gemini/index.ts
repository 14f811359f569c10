import { encodeComment } from '../shared/client-error.ts';
import { decodeError } from '../shared/wire-error.ts';
import type { ProtocolCodec } from '../types.ts';
import { responseFromStream, streamFromResponse } from './convert.ts';
import { createGeminiCount } from './count-codec.ts';
import { encodeError, encodeStreamError, KEEPALIVE } from './error.ts';
import { authHeaders } from './headers.ts';
import { decodeRequest } from './request.ts';
import { encodeRequest, readState } from './request-encode.ts';
import { decodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decode.ts';
import { translation } from './translation.ts';

export { createArrayForm } from './array-form.ts';
export { readTarget } from './path.ts';
export { decodeRequestFor } from './request.ts';

/** Google Gemini: `generateContent` and `streamGenerateContent`. */
export const gemini: ProtocolCodec = {
  protocol: 'gemini',
  decodeRequest,
  encodeRequest,
  readState,
  authHeaders,
  createStreamDecoder,
  decodeResponse,
  streamFromResponse,
  responseFromStream,
  decodeError,
  encodeError,
  encodeStreamError,
  keepalive: KEEPALIVE,
  encodeComment,
  translation,
};

/** The codec of `countTokens`. */
export const geminiCount: ProtocolCodec = createGeminiCount(gemini);
