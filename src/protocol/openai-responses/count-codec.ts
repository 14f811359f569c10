import { createCountCodec } from '../shared/count-codec.ts';
import type { ProtocolCodec } from '../types.ts';

/** `POST /v1/responses/input_tokens`. */
export const createResponsesCount = (base: ProtocolCodec): ProtocolCodec =>
  createCountCodec({
    base,
    write: (written) => ({ ...written, path: '/responses/input_tokens' }),
    read: ({ input_tokens }) => input_tokens,
    answer: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  });
