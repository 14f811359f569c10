import type { Headers } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  childrenOf,
  indexJson,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberAt,
  memberOf,
  NONE,
  parseNode,
  stringOf,
} from '../json/index.ts';
import type { Decoded } from '../types.ts';
import { hash64 } from './hash.ts';
import { sessionOf } from './headers.ts';
import {
  estimateTokens,
  type MessageNode,
  outlineMessages,
  prefixOf,
  REQUEST_DEPTH,
  readEffects,
  readNeeds,
} from './outline.ts';
import { nonEmpty } from './types.ts';

/** Members that decide who answers and what is asked: two readers of one body must not see two of them. */
const ONCE = ['model', 'stream', 'messages', 'input', 'tools'] as const;

const MAX_MODEL_LENGTH = 256;
const MAX_CHOICES = 128;

/** What `encodeRequest` needs again: the index of the body, and its messages. */
export type ChatExtension = { readonly index: JsonIndex; readonly messages: readonly MessageNode[] };

const refused = (message: string, param: string | null = null): Decoded => ({ ok: false, problem: { message, param } });

/** Reads a client's body. It is noted, not parsed: a body of megabytes costs one pass over its bytes. */
export function decodeRequest(body: Uint8Array, headers: Headers): Decoded {
  const index = indexJson(body, REQUEST_DEPTH);
  if (index === null) return refused('The request body is not valid JSON.');
  if (kindOf(index, 0) !== 'object') return refused('The request body must be a JSON object.');
  const problem = findRepeated(index) ?? checkModel(index) ?? checkOptions(index) ?? checkMessages(index);
  if (problem !== null) return problem;
  const messages = outlineMessages(index);
  if (typeof messages === 'number') {
    return refused(`"messages[${messages}]" must be an object with a role.`, `messages[${messages}]`);
  }
  return { ok: true, request: canonical(index, messages, headers) };
}

function findRepeated(index: JsonIndex): Decoded | null {
  const seen = new Set<string>();
  for (const node of childrenOf(index, 0)) {
    const name = ONCE.find((member) => isKey(index, node, member));
    if (name === undefined) continue;
    if (seen.has(name)) return refused(`The member "${name}" stands more than once in the request body.`, name);
    seen.add(name);
  }
  return null;
}

function checkModel(index: JsonIndex): Decoded | null {
  const node = memberOf(index, 0, 'model');
  if (node === NONE) return refused('The member "model" is missing.', 'model');
  const model = stringOf(index, node);
  if (model === null) return refused('"model" must be a string.', 'model');
  if (model === '') return refused('"model" must not be empty.', 'model');
  return model.length > MAX_MODEL_LENGTH
    ? refused(`"model" must not be longer than ${MAX_MODEL_LENGTH} characters.`, 'model')
    : null;
}

function checkOptions(index: JsonIndex): Decoded | null {
  const stream = memberOf(index, 0, 'stream');
  if (isSet(index, stream) && kindOf(index, stream) !== 'boolean') {
    return refused('"stream" must be true or false.', 'stream');
  }
  const node = memberOf(index, 0, 'n');
  if (!isSet(index, node)) return null;
  const n = kindOf(index, node) === 'number' ? parseNode(index, node) : null;
  const isGood = typeof n === 'number' && Number.isInteger(n) && n >= 1 && n <= MAX_CHOICES;
  return isGood ? null : refused(`"n" must be an integer from 1 to ${MAX_CHOICES}.`, 'n');
}

function checkMessages(index: JsonIndex): Decoded | null {
  const node = memberOf(index, 0, 'messages');
  if (node === NONE) return refused('The member "messages" is missing.', 'messages');
  if (kindOf(index, node) !== 'array') return refused('"messages" must be a list.', 'messages');
  return childrenOf(index, node).length === 0 ? refused('"messages" must not be empty.', 'messages') : null;
}

function canonical(index: JsonIndex, messages: readonly MessageNode[], headers: Headers): CanonicalRequest {
  const n = parseNode(index, memberOf(index, 0, 'n'));
  const choices = typeof n === 'number' ? n : 1;
  const last = messages.at(-1)?.role;
  const extension: ChatExtension = { index, messages };
  return {
    protocol: 'openai-chat',
    model: stringOf(index, memberOf(index, 0, 'model')) ?? '',
    stream: parseNode(index, memberOf(index, 0, 'stream')) === true,
    choices,
    needs: readNeeds(index, messages, choices),
    maxOutputTokens: readLimit(index),
    usageAsked: parseNode(index, memberAt(index, 0, 'stream_options', 'include_usage')) === true,
    endsWithToolResult: last === 'tool' || last === 'function',
    effects: readEffects(index),
    conversation: readConversation(index, messages, headers),
    estimatedInputTokens: estimateTokens(index, messages),
    original: index.bytes,
    extensions: { 'openai-chat': extension },
  };
}

function readLimit(index: JsonIndex): number | null {
  for (const name of ['max_completion_tokens', 'max_tokens']) {
    const node = memberOf(index, 0, name);
    if (node !== NONE && kindOf(index, node) === 'number') return parseNode(index, node) as number;
  }
  return null;
}

function readConversation(
  index: JsonIndex,
  messages: readonly MessageNode[],
  headers: Headers,
): CanonicalRequest['conversation'] {
  const text = (...path: string[]): string | null => nonEmpty(stringOf(index, memberAt(index, 0, ...path)));
  const prefix = prefixOf(index, messages);
  return {
    sessionId: sessionOf(headers),
    promptCacheKey: text('prompt_cache_key'),
    previousResponseId: null,
    userId: text('metadata', 'user_id') ?? text('user'),
    prefixHash: prefix === null ? null : hash64(prefix),
  };
}
