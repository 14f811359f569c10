import type { Headers } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { isSet, type JsonIndex, kindOf, memberAt, memberOf, NONE, parseNode, stringOf } from '../json/index.ts';
import { type BodyReader, decodeBody } from '../shared/decode-body.ts';
import { hash64 } from '../shared/hash.ts';
import { BODY_LIMITS, flagProblem, listProblem, modelProblem, problem } from '../shared/request-shape.ts';
import { sessionOf } from '../shared/session.ts';
import type { Decoded, RequestProblem } from '../types.ts';
import {
  elementsOf,
  estimateTokens,
  type MessageNode,
  outlineMessages,
  prefixOf,
  REQUEST_DEPTH,
  readEffects,
  readNeeds,
} from './outline.ts';
import { nonEmpty } from './types.ts';

const MAX_CHOICES = 128;

/** What `encodeRequest` needs again: the index of the body, and its messages. */
export type ChatExtension = { readonly index: JsonIndex; readonly messages: readonly MessageNode[] };

const READER: BodyReader<MessageNode> = {
  protocol: 'openai-chat',
  depth: REQUEST_DEPTH,
  checks: [
    modelProblem,
    (index) => flagProblem(index, 'stream'),
    choicesProblem,
    (index) => listProblem(index, 'messages'),
  ],
  outline: outlineMessages,
  list: 'messages',
  element: 'an object with a role',
  excess: excessProblem,
  canonical,
};

/** Reads a client's body. */
export const decodeRequest = (body: Uint8Array, headers: Headers): Decoded => decodeBody(READER, body, headers);

/** Parts and tool calls are looked at and edited one by one. */
function excessProblem(index: JsonIndex, messages: readonly MessageNode[]): RequestProblem | null {
  const seen = { content: 0, tool_calls: 0 };
  for (const [position, { node, content }] of messages.entries()) {
    seen.content += elementsOf(index, content).length;
    seen.tool_calls += elementsOf(index, memberOf(index, node, 'tool_calls')).length;
    for (const name of ['content', 'tool_calls'] as const) {
      if (seen[name] <= BODY_LIMITS[name]) continue;
      const message = `The lists "${name}" of all messages must not hold more than ${BODY_LIMITS[name]} elements together.`;
      return problem(message, `messages[${position}].${name}`);
    }
  }
  return null;
}

function choicesProblem(index: JsonIndex): RequestProblem | null {
  const node = memberOf(index, 0, 'n');
  if (!isSet(index, node)) return null;
  const n = kindOf(index, node) === 'number' ? parseNode(index, node) : null;
  const isGood = typeof n === 'number' && Number.isInteger(n) && n >= 1 && n <= MAX_CHOICES;
  return isGood ? null : problem(`"n" must be an integer from 1 to ${MAX_CHOICES}.`, 'n');
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
    sessionId: sessionOf(headers, 'openai-chat'),
    promptCacheKey: text('prompt_cache_key'),
    previousResponseId: null,
    userId: text('metadata', 'user_id') ?? text('user'),
    prefixHash: prefix === null ? null : hash64(prefix),
  };
}
