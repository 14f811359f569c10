import type { Extensions, Message } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import type { Protocol } from '../../core/model/protocol.ts';

const BILLING = 'x-anthropic-billing-header';
const CIPHER = 'reasoning.encrypted_content';

/** Marks of our own in extensions: what a codec needs to write a prompt as it was. */
const MARK = /^\$/;

/** Names of what a client tells its vendor for the record: the answer is the same without. */
const FOR_THE_RECORD: { readonly [P in Protocol]?: ReadonlySet<string> } = {
  'openai-responses': new Set(['id', 'status', 'client_metadata']),
};

type Rule = (prompt: CanonicalPrompt) => CanonicalPrompt;

/** What a client of a protocol says to its own vendor alone, so that nobody misses it elsewhere. */
const RULES: { readonly [P in Protocol]?: Rule } = {
  'anthropic-messages': (prompt) => ({ ...prompt, messages: prompt.messages.flatMap(withoutBilling) }),
  'openai-responses': (prompt) => {
    // Not to be kept: nobody else keeps it either. Ciphers of reasoning travel as states.
    const { store, ...settings } = prompt.settings;
    const kept = store === true ? { ...settings, store } : settings;
    const extensions = withoutInclude(prompt.extensions);
    const { extensions: _old, ...rest } = prompt;
    return { ...rest, settings: kept, ...(extensions === undefined ? {} : { extensions }) };
  },
};

/** The prompt without what is only its vendor's business. */
export const withoutOwnBusiness = (prompt: CanonicalPrompt, from: Protocol): CanonicalPrompt =>
  RULES[from]?.(prompt) ?? prompt;

/** Whether somebody would miss what was dropped under this name. */
export const isMissed = (name: string, from: Protocol): boolean =>
  !MARK.test(name) && FOR_THE_RECORD[from]?.has(name) !== true;

/** Claude Code tells its vendor whom to bill in a text of the system prompt, another one in each session. */
function withoutBilling(message: Message): readonly Message[] {
  if (message.role !== 'system') return [message];
  const parts = message.parts.filter((part) => part.type !== 'text' || !part.text.startsWith(BILLING));
  if (parts.length === message.parts.length) return [message];
  return parts.length === 0 ? [] : [{ ...message, parts }];
}

function withoutInclude(extensions: Extensions | undefined): Extensions | undefined {
  const own: JsonObject | undefined = extensions?.['openai-responses'];
  const include = own?.['include'];
  if (own === undefined || !Array.isArray(include) || include.some((each) => each !== CIPHER)) return extensions;
  const { include: _include, ...rest } = own;
  return { ...extensions, 'openai-responses': rest };
}
