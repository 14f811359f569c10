import type { Protocol } from '../core/model/protocol.ts';
import { anthropicMessages, messagesCount } from './anthropic-messages/index.ts';
import { gemini, geminiCount } from './gemini/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses, responsesCount } from './openai-responses/index.ts';
import type { ProtocolCodec } from './types.ts';

/** Every wire format that this version speaks. */
export const CODECS: ReadonlyMap<Protocol, ProtocolCodec> = new Map(
  [openaiChat, openaiResponses, anthropicMessages, gemini].map((codec) => [codec.protocol, codec]),
);

/** Those of requests that count tokens, where a protocol has such. */
export const COUNT_CODECS: ReadonlyMap<Protocol, ProtocolCodec> = new Map(
  [responsesCount, messagesCount, geminiCount].map((codec) => [codec.protocol, codec]),
);
