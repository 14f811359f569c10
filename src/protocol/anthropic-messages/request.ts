import type { Headers } from '../../core/model/protocol.ts';
import type { CanonicalRequest, ConversationHints } from '../../core/model/request.ts';
import { isSet, type JsonIndex, kindOf, memberAt, memberOf, parseNode, stringOf } from '../json/index.ts';
import { type BodyReader, decodeBody } from '../shared/decode-body.ts';
import { hash64 } from '../shared/hash.ts';
import { BODY_LIMITS, flagProblem, listProblem, modelProblem, problem } from '../shared/request-shape.ts';
import { sessionOf } from '../shared/session.ts';
import { parseJson } from '../shared/wire-error.ts';
import type { Decoded, RequestProblem } from '../types.ts';
import { versionOf } from './headers.ts';
import {
  endsWithToolResult,
  estimateTokens,
  type MessageNode,
  outlineMessages,
  partsOf,
  prefixOf,
  REQUEST_DEPTH,
  readEffects,
  readNeeds,
} from './outline.ts';
import { isObject, nonEmpty } from './types.ts';

/** What `encodeRequest` needs again: the index of the body, its messages, and the version that the client speaks. */
export type MessagesExtension = {
  readonly index: JsonIndex;
  readonly messages: readonly MessageNode[];
  readonly version: string;
};

const READER: BodyReader<MessageNode> = {
  protocol: 'anthropic-messages',
  depth: REQUEST_DEPTH,
  checks: [
    modelProblem,
    (index) => flagProblem(index, 'stream'),
    limitProblem,
    (index) => listProblem(index, 'messages'),
    (index) => kindProblem(index, 'system', ['string', 'array'], 'a text or a list of text blocks'),
    (index) => kindProblem(index, 'tools', ['array'], 'a list'),
  ],
  outline: outlineMessages,
  list: 'messages',
  element: 'an object with a role',
  excess: excessProblem,
  canonical,
};

/** Reads a client's body. */
export const decodeRequest = (body: Uint8Array, headers: Headers): Decoded => decodeBody(READER, body, headers);

/** Blocks are looked at and edited one by one. */
function excessProblem(index: JsonIndex, messages: readonly MessageNode[]): RequestProblem | null {
  let count = 0;
  for (const _part of partsOf(index, messages)) count++;
  const { content } = BODY_LIMITS;
  return count <= content
    ? null
    : problem(`The content of all messages must not hold more than ${content} blocks.`, 'messages');
}

/** One without a limit may get that of the configuration; else its provider will miss it. */
function limitProblem(index: JsonIndex): RequestProblem | null {
  const node = memberOf(index, 0, 'max_tokens');
  if (!isSet(index, node)) return null;
  const limit = kindOf(index, node) === 'number' ? parseNode(index, node) : null;
  const isGood = typeof limit === 'number' && Number.isInteger(limit) && limit >= 0;
  return isGood ? null : problem('"max_tokens" must be a whole number, 0 or more.', 'max_tokens');
}

function kindProblem(index: JsonIndex, name: string, kinds: readonly string[], words: string): RequestProblem | null {
  const node = memberOf(index, 0, name);
  const isGood = !isSet(index, node) || kinds.includes(kindOf(index, node));
  return isGood ? null : problem(`"${name}" must be ${words}.`, name);
}

function canonical(index: JsonIndex, messages: readonly MessageNode[], headers: Headers): CanonicalRequest {
  const limit = memberOf(index, 0, 'max_tokens');
  const extension: MessagesExtension = { index, messages, version: versionOf(headers) };
  return {
    protocol: 'anthropic-messages',
    model: stringOf(index, memberOf(index, 0, 'model')) ?? '',
    stream: parseNode(index, memberOf(index, 0, 'stream')) === true,
    choices: 1,
    needs: readNeeds(index, messages),
    maxOutputTokens: isSet(index, limit) ? (parseNode(index, limit) as number) : null,
    // Usage is a part of the protocol: every answer has it.
    usageAsked: true,
    endsWithToolResult: endsWithToolResult(index, messages),
    effects: readEffects(index),
    conversation: readConversation(index, messages, headers),
    estimatedInputTokens: estimateTokens(index, messages),
    original: index.bytes,
    extensions: { 'anthropic-messages': extension },
  };
}

function readConversation(index: JsonIndex, messages: readonly MessageNode[], headers: Headers): ConversationHints {
  const userId = nonEmpty(stringOf(index, memberAt(index, 0, 'metadata', 'user_id')));
  const prefix = prefixOf(index, messages);
  return {
    sessionId: sessionOf(headers, 'anthropic-messages') ?? sessionIn(userId),
    promptCacheKey: null,
    previousResponseId: null,
    userId,
    prefixHash: prefix === null ? null : hash64(prefix),
  };
}

/** Agents write an object into `user_id`, with the session among its members. */
function sessionIn(userId: string | null): string | null {
  const value = userId?.startsWith('{') ? parseJson(userId) : undefined;
  return isObject<{ session_id?: unknown }>(value) ? nonEmpty(value.session_id) : null;
}
