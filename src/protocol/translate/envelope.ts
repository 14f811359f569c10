import type { OpaqueState } from '../../core/model/content.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';

/** What a state of another protocol begins with while a client keeps it for us. */
const ENVELOPE = 'understudy-state.';

const WORDS: { readonly [P in Protocol]: string } = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  gemini: 'gemini',
  'bedrock-converse': 'converse',
};

const ISSUERS: ReadonlyMap<string, Protocol> = new Map(
  Object.entries(WORDS).map(([protocol, word]) => [word, protocol as Protocol]),
);

/**
 * A state of an answer as a client of another protocol keeps it: it looks like one of that protocol's own, says who
 * issued it, and comes back with the next turn.
 */
export function wrapState({ issuer, value }: OpaqueState, carrier: Protocol): OpaqueState {
  return issuer === carrier ? { issuer, value } : { issuer: carrier, value: `${ENVELOPE}${WORDS[issuer]}.${value}` };
}

/** How an envelope begins in the JSON text of a request. */
const QUOTE = 0x22;
const WRITTEN = new TextEncoder().encode(`"${ENVELOPE}`);

/** Some state in these bytes is in an envelope: a provider of the client's own protocol would take it for a forgery. */
export function holdsEnvelope({ original }: Pick<CanonicalRequest, 'original'>): boolean {
  for (let at = original.indexOf(QUOTE); at >= 0; at = original.indexOf(QUOTE, at + 1)) {
    if (WRITTEN.every((byte, i) => original[at + i] === byte)) return true;
  }
  return false;
}

/** Responses keeps a cipher beside the id of its item. */
function sealOf(value: string): string {
  if (!value.startsWith('{') || !value.includes(ENVELOPE)) return value;
  try {
    const { encrypted_content: seal } = JSON.parse(value) as { readonly encrypted_content?: unknown };
    return typeof seal === 'string' ? seal : value;
  } catch {
    return value;
  }
}

/** A state out of a client's request, with the one who issued it. A damaged envelope is nobody's: null. */
export function unwrapState(state: OpaqueState): OpaqueState | null {
  const sealed = sealOf(state.value);
  if (!sealed.startsWith(ENVELOPE)) return state;
  const rest = sealed.slice(ENVELOPE.length);
  const dot = rest.indexOf('.');
  const issuer = ISSUERS.get(rest.slice(0, Math.max(0, dot)));
  return issuer === undefined ? null : { issuer, value: rest.slice(dot + 1) };
}
