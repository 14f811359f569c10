import { encodeComment } from '../shared/client-error.ts';
import { decodeError } from '../shared/wire-error.ts';
import type { ProtocolCodec } from '../types.ts';
import { responseFromStream, streamFromResponse } from './convert.ts';
import { encodeError, encodeStreamError, KEEPALIVE } from './error.ts';
import { authHeaders } from './headers.ts';
import { decodeRequest } from './request.ts';
import { encodeRequest } from './request-encode.ts';
import { decodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decode.ts';
import { translation } from './translation.ts';

/** OpenAI Chat Completions. */
export const openaiChat: ProtocolCodec = {
  protocol: 'openai-chat',
  decodeRequest,
  encodeRequest,
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
