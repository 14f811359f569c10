import { createCountCodec } from '../shared/count-codec.ts';
import type { ProtocolCodec } from '../types.ts';

/** `POST /v1/messages/count_tokens`: the body of a request without its limit, answered with a number. */
export const createMessagesCount = (base: ProtocolCodec): ProtocolCodec =>
  createCountCodec({
    base,
    write: (written) => ({ ...written, path: '/v1/messages/count_tokens' }),
    read: ({ input_tokens }) => input_tokens,
    answer: (tokens) => ({ input_tokens: tokens }),
  });
