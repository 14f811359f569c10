import type { Protocol } from '../model/protocol.ts';
import type { Candidate } from '../routing/plan.ts';

/** What was asked for, and in which protocol. */
export type Asked = { readonly model: string; readonly protocol: Protocol };

/** Protocols as their vendors call them, and a preset of a provider that speaks each. */
const PROTOCOLS: { readonly [P in Protocol]: { readonly name: string; readonly preset: string | null } } = {
  'openai-chat': { name: 'OpenAI Chat Completions', preset: 'openai' },
  'openai-responses': { name: 'OpenAI Responses', preset: 'openai-responses' },
  'anthropic-messages': { name: 'Anthropic Messages', preset: 'anthropic' },
  gemini: { name: 'Gemini', preset: null },
  'bedrock-converse': { name: 'Bedrock Converse', preset: null },
};

const MAX_NAME = 40;

/** Nobody who is listed speaks the client's protocol: a matter of the configuration, whatever the request says. */
export const isForeign = (candidates: readonly Candidate[]): boolean =>
  candidates.length > 0 && candidates.every(({ lacks }) => lacks?.includes('protocol'));

/** That, and what to do about it, in at most 300 characters. */
export function foreignWords(candidates: readonly Candidate[], { model, protocol }: Asked): string {
  const { name, preset } = PROTOCOLS[protocol];
  const spoken = [...new Set(candidates.map(({ target }) => PROTOCOLS[target.protocol].name))].join(', ');
  const how = `protocol: ${protocol}${preset === null ? '' : ` (preset ${preset})`}`;
  return (
    `The client speaks ${name}; the targets of "${model.slice(0, MAX_NAME)}" speak ${spoken}. ` +
    `Add a target whose provider has ${how}, or use a client that speaks as they do: docs/clients.md.`
  );
}
