import type { Protocol } from '../core/model/protocol.ts';
import { openaiChat } from './openai-chat/index.ts';
import type { ProtocolCodec } from './types.ts';

/** Every wire format that this version speaks. */
export const CODECS: ReadonlyMap<Protocol, ProtocolCodec> = new Map([[openaiChat.protocol, openaiChat]]);
