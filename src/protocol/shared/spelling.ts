import type { Protocol } from '../../core/model/protocol.ts';
import {
  childrenOf,
  isSet,
  type JsonIndex,
  keyEndOf,
  keyOf,
  keyStartOf,
  kindOf,
  memberOf,
  NONE,
} from '../json/index.ts';
import type { RequestProblem } from '../types.ts';

/** Members of a request that decide who answers, whose it is and what is asked. */
export const DECIDING = [
  'model',
  'stream',
  'messages',
  'input',
  'tools',
  'previous_response_id',
  'conversation',
  'store',
  'background',
] as const;

/**
 * What another spelling of a member does, and therefore what becomes of the request:
 * - `decides`: some providers' readers know names in any case (Go's among them), or take `previousResponseId` for the
 *   same (those of protocol buffers). They would go by a member that nobody here has looked at, past what was checked:
 *   who may go on with a conversation, what may be sent twice. Always refused.
 * - `answers`: most providers leave out what they don't know without a word, and their client gets another answer than it
 *   asked for: longer than its limit, in another form, without its instructions. Which of them answers would decide.
 *   Refused, unless it is null or the right spelling is set as well: then nothing that was asked for is lost.
 * - `wishes`: labels, and wishes that providers round, refuse or ignore anyway, some of which the gateway itself leaves
 *   out where a target refuses them. Clients send some of these in their own spelling (`promptCacheKey`), and some
 *   providers have members of such names. Goes to the provider as it came, like all that is not listed here.
 */
export type SpellingEffect = 'decides' | 'answers' | 'wishes';

type SpokenProtocol = Exclude<Protocol, 'bedrock-converse'>;

const CHAT: readonly SpokenProtocol[] = ['openai-chat'];
const RESPONSES: readonly SpokenProtocol[] = ['openai-responses'];
const MESSAGES: readonly SpokenProtocol[] = ['anthropic-messages'];
const GEMINI: readonly SpokenProtocol[] = ['gemini'];
const OPENAI: readonly SpokenProtocol[] = [...CHAT, ...RESPONSES];
/** Those that say model and form in the body. */
const EACH: readonly SpokenProtocol[] = [...OPENAI, ...MESSAGES];

/** A member of the top, or one of an object of the top (`conversation.id`), and the protocols that have it. */
type SpellingRow = readonly [member: string, effect: SpellingEffect, protocols: readonly SpokenProtocol[]];

export const SPELLINGS: readonly SpellingRow[] = [
  ...DECIDING.map((member): SpellingRow => [member, 'decides', member === 'tools' ? [...EACH, ...GEMINI] : EACH]),
  ['contents', 'decides', GEMINI],
  ['conversation.id', 'decides', EACH],
  // Servers that act outside: what runs them is not sent twice.
  ['mcp_servers', 'decides', MESSAGES],

  ['max_tokens', 'answers', [...CHAT, ...MESSAGES]],
  ['max_completion_tokens', 'answers', CHAT],
  ['max_output_tokens', 'answers', RESPONSES],
  ['max_tool_calls', 'answers', RESPONSES],
  ['stop', 'answers', CHAT],
  ['stop_sequences', 'answers', MESSAGES],
  ['stream_options', 'answers', OPENAI],
  ['stream_options.include_usage', 'answers', CHAT],
  ['response_format', 'answers', CHAT],
  ['modalities', 'answers', CHAT],
  ['logprobs', 'answers', CHAT],
  ['top_logprobs', 'answers', OPENAI],
  ['text', 'answers', RESPONSES],
  ['include', 'answers', RESPONSES],
  ['output_config', 'answers', MESSAGES],
  ['output_format', 'answers', MESSAGES],
  ['tool_choice', 'answers', EACH],
  ['parallel_tool_calls', 'answers', OPENAI],
  ['functions', 'answers', CHAT],
  ['function_call', 'answers', CHAT],
  ['instructions', 'answers', RESPONSES],
  ['prompt', 'answers', RESPONSES],
  ['system', 'answers', MESSAGES],
  ['top_p', 'answers', EACH],
  ['top_k', 'answers', MESSAGES],
  ['frequency_penalty', 'answers', CHAT],
  ['presence_penalty', 'answers', CHAT],
  ['logit_bias', 'answers', CHAT],
  ['systemInstruction', 'answers', GEMINI],
  ['generationConfig', 'answers', GEMINI],
  ['toolConfig', 'answers', GEMINI],

  ['n', 'wishes', CHAT],
  ['user', 'wishes', OPENAI],
  ['metadata', 'wishes', EACH],
  ['prompt_cache_key', 'wishes', OPENAI],
  ['service_tier', 'wishes', EACH],
  ['speed', 'wishes', MESSAGES],
  ['cache_control', 'wishes', MESSAGES],
  ['context_management', 'wishes', MESSAGES],
  ['reasoning_effort', 'wishes', CHAT],
  ['reasoning', 'wishes', RESPONSES],
  ['thinking', 'wishes', MESSAGES],
];

/**
 * A name as readers see it that tell neither cases nor `_` and `-` apart; the long s, the sign of Kelvin and ligatures
 * are letters, too.
 */
const fold = (name: string): string => name.toUpperCase().toLowerCase().replaceAll(/[_-]/g, '');

type Meant = { readonly name: string; readonly effect: Exclude<SpellingEffect, 'wishes'> };

/** What a name means, however it is spelt; null: nothing that is weighed here. */
type Reader = (key: string) => Meant | null;

/** Of one protocol: for the top (''), and for objects of it. */
type Meanings = ReadonlyMap<string, Reader>;

/** A number for a name that is the same for all its spellings; null for letters that only `fold` knows. */
function gist(name: string): number | null {
  let sum = 0;
  for (let at = 0; at < name.length; at++) {
    const c = name.charCodeAt(at);
    if (c > 0x7f) return null;
    if (c === 0x5f || c === 0x2d) continue;
    sum = (Math.imul(sum, 31) + (c >= 0x41 && c <= 0x5a ? c | 0x20 : c)) | 0;
  }
  return sum;
}

/** What has a capital in it may be written with a line in its place: Google's protocol takes both. */
const spellingsOf = (meant: Meant): readonly Meant[] => [
  meant,
  { ...meant, name: meant.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) },
];

/**
 * Folding costs more than all other checks of a small request: only a name that may mean something and is not spelt as
 * the protocol spells it is folded. Nothing is remembered of names, which clients invent.
 */
function createReader(folded: ReadonlyMap<string, Meant>): Reader {
  const right = new Map([...folded.values()].flatMap(spellingsOf).map((meant) => [meant.name, meant]));
  const gists = new Set<number | null>([...folded.keys()].map(gist)).add(null);
  return (key) => right.get(key) ?? (gists.has(gist(key)) ? (folded.get(fold(key)) ?? null) : null);
}

const meaningsOf = (protocol: SpokenProtocol): Meanings => {
  const meanings = new Map<string, Map<string, Meant>>([['', new Map()]]);
  for (const [member, effect, protocols] of SPELLINGS) {
    if (effect === 'wishes' || !protocols.includes(protocol)) continue;
    const [name = '', inner] = member.split('.');
    const object = inner === undefined ? '' : name;
    const names = meanings.get(object) ?? new Map<string, Meant>();
    meanings.set(object, names.set(fold(inner ?? name), { name: inner ?? name, effect }));
  }
  return new Map([...meanings].map(([object, names]) => [object, createReader(names)]));
};

const MEANINGS: ReadonlyMap<Protocol, Meanings> = new Map(
  [...EACH, ...GEMINI].map((protocol) => [protocol, meaningsOf(protocol)]),
);

/** The longest that one of the names can be, each letter in an escape, quotes included. */
const MAX_KEY_BYTES = Math.max(...SPELLINGS.map(([member]) => member.length)) * 6 + 2;

/** A member that is spelt otherwise than the protocol spells it, where that is not the client's own business. */
export function spellingProblem(index: JsonIndex, protocol: Protocol): RequestProblem | null {
  for (const [object, read] of MEANINGS.get(protocol) ?? []) {
    const node = object === '' ? 0 : memberOf(index, 0, object);
    if (node === NONE || kindOf(index, node) !== 'object') continue;
    const found = misspelt(index, node, read, object === '' ? '' : `${object}.`);
    if (found !== null) return found;
  }
  return null;
}

function misspelt(index: JsonIndex, object: number, read: Reader, path: string): RequestProblem | null {
  for (const node of childrenOf(index, object)) {
    if (keyEndOf(index, node) - keyStartOf(index, node) > MAX_KEY_BYTES) continue;
    const key = keyOf(index, node);
    const meant = read(key);
    if (meant === null || meant.name === key) continue;
    const { name, effect } = meant;
    if (effect === 'answers' && (!isSet(index, node) || isSet(index, memberOf(index, object, name)))) continue;
    const message = `The member ${JSON.stringify(path + key)} must be spelt "${path}${name}": ${REASONS[effect]}.`;
    return { message, param: path + name };
  }
  return null;
}

const REASONS: Readonly<Record<Meant['effect'], string>> = {
  decides: 'some providers would read it as that',
  answers: 'as it stands, many providers would leave it out without a word',
};
