import type { Protocol } from '../core/model/protocol.ts';
import { anthropicMessages } from './anthropic-messages/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import type { ProtocolCodec } from './types.ts';

/** Every wire format that this version speaks. */
export const CODECS: ReadonlyMap<Protocol, ProtocolCodec> = new Map(
  [openaiChat, openaiResponses, anthropicMessages].map((codec) => [codec.protocol, codec]),
);
