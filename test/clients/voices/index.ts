import type { Protocol } from '../../../src/core/model/protocol.ts';
import { chatVoice } from './chat.ts';
import { geminiVoice } from './gemini.ts';
import { messagesVoice } from './messages.ts';
import { responsesVoice } from './responses.ts';
import type { Voice } from './types.ts';

export const VOICES: readonly Voice[] = [chatVoice, responsesVoice, messagesVoice, geminiVoice];

export const voiceOf = (protocol: Protocol): Voice => {
  const found = VOICES.find((voice) => voice.protocol === protocol);
  if (found === undefined) throw new Error(`nobody speaks ${protocol}`);
  return found;
};
