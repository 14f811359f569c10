import type { ConversationCodec } from '../conversation.ts';
import { encodeComment } from '../shared/client-error.ts';
import { decodeError } from '../shared/wire-error.ts';
import type { ProtocolCodec } from '../types.ts';
import { createCollector } from './collect.ts';
import { createCompactCodec } from './compact-codec.ts';
import { responseFromStream, streamFromResponse } from './convert.ts';
import { createResponsesCount } from './count-codec.ts';
import { encodeError, encodeStreamError, KEEPALIVE } from './error.ts';
import type { FollowUp } from './follow-up.ts';
import { createFollowUpCodec } from './follow-up-codec.ts';
import { authHeaders } from './headers.ts';
import { expandRequest, inputOf, withoutState } from './history.ts';
import { decodeRequest } from './request.ts';
import { encodeRequest, requestState } from './request-encode.ts';
import { decodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decode.ts';
import { translation } from './translation.ts';

const conversation: ConversationCodec = { inputOf, createCollector, expand: expandRequest, withoutState };

/** The OpenAI Responses API. */
export const openaiResponses: ProtocolCodec = {
  protocol: 'openai-responses',
  decodeRequest,
  encodeRequest,
  readState: requestState,
  conversation,
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

/** The codec of `/v1/responses/input_tokens`. */
export const responsesCount: ProtocolCodec = createResponsesCount(openaiResponses);

/** The codec of `/v1/responses/compact`. */
export const compactCodec: ProtocolCodec = createCompactCodec(openaiResponses);

/** The codec of one request about a response that exists already; see `readFollowUp`. */
export const followUpCodec = (followUp: FollowUp): ProtocolCodec => createFollowUpCodec(openaiResponses, followUp);

export { type FollowUp, type FollowUpKind, isPathId, readFollowUp } from './follow-up.ts';
export { followUpRequest } from './follow-up-codec.ts';
export { answerOwn } from './own-follow-up.ts';
export {
  type ClientFrame,
  createMessageWriter,
  emptyAnswer,
  errorMessage,
  readClientFrame,
  withoutSocketFlag,
} from './socket.ts';
