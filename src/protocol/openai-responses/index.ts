import { encodeComment } from '../shared/client-error.ts';
import { decodeError } from '../shared/wire-error.ts';
import type { ProtocolCodec } from '../types.ts';
import { responseFromStream, streamFromResponse } from './convert.ts';
import { encodeError, encodeStreamError, KEEPALIVE } from './error.ts';
import type { FollowUp } from './follow-up.ts';
import { createFollowUpCodec } from './follow-up-codec.ts';
import { authHeaders } from './headers.ts';
import { decodeRequest } from './request.ts';
import { encodeRequest, requestState } from './request-encode.ts';
import { decodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decode.ts';

/** The OpenAI Responses API. */
export const openaiResponses: ProtocolCodec = {
  protocol: 'openai-responses',
  decodeRequest,
  encodeRequest,
  readState: requestState,
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
};

/** The codec of one request about a response that exists already; see `readFollowUp`. */
export const followUpCodec = (followUp: FollowUp): ProtocolCodec => createFollowUpCodec(openaiResponses, followUp);

export { type FollowUp, type FollowUpKind, isPathId, readFollowUp } from './follow-up.ts';
export { followUpRequest } from './follow-up-codec.ts';
