import type { Protocol } from './protocol.ts';

/** Protocols as people call them: short where it is clear that a protocol is meant, else in full. */
export const PROTOCOL_NAMES: { readonly [P in Protocol]: { readonly short: string; readonly full: string } } = {
  'openai-chat': { short: 'Chat', full: 'OpenAI Chat Completions' },
  'openai-responses': { short: 'Responses', full: 'OpenAI Responses' },
  'anthropic-messages': { short: 'Messages', full: 'Anthropic Messages' },
  gemini: { short: 'Gemini', full: 'Gemini' },
  'bedrock-converse': { short: 'Converse', full: 'Bedrock Converse' },
};
