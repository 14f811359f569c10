import type { Headers } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  childrenOf,
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
import { type BodyReader, decodeBody } from '../shared/decode-body.ts';
import { hash64 } from '../shared/hash.ts';
import { BODY_LIMITS, flagProblem, modelProblem, problem } from '../shared/request-shape.ts';
import { sessionOf } from '../shared/session.ts';
import { nonEmpty } from '../shared/value.ts';
import type { Decoded, RequestProblem } from '../types.ts';
import { readEffects } from './effects.ts';
import {
  estimateTokens,
  type ItemNode,
  isToolResult,
  outlineItems,
  partsOf,
  prefixOf,
  REQUEST_DEPTH,
  readNeeds,
} from './outline.ts';
import { readSeals } from './seal.ts';

/** What `encodeRequest` needs again: the index of the body, and the items of its input. */
export type ResponsesExtension = {
  readonly index: JsonIndex;
  readonly items: readonly ItemNode[];
  readonly background: boolean;
};

/** Members that give a request its input in place of `input`. */
const INPUT_ELSEWHERE = ['previous_response_id', 'conversation', 'prompt'] as const;

const READER: BodyReader<ItemNode> = {
  protocol: 'openai-responses',
  depth: REQUEST_DEPTH,
  checks: [conversationProblem, modelProblem, optionProblem, inputProblem],
  outline: outlineItems,
  list: 'input',
  element: 'an object',
  excess: excessProblem,
  canonical,
};

/** Reads a client's body. */
export const decodeRequest = (body: Uint8Array, headers: Headers): Decoded => decodeBody(READER, body, headers);

/** Whose conversation it is decides who may go on: two readers must not see two ids in it. */
function conversationProblem(index: JsonIndex): RequestProblem | null {
  const node = memberOf(index, 0, 'conversation');
  if (node === NONE || kindOf(index, node) !== 'object') return null;
  const ids = childrenOf(index, node).filter((member) => isKey(index, member, 'id'));
  return ids.length > 1 ? problem('The member "conversation.id" stands more than once.', 'conversation') : null;
}

/** Parts are looked at and edited one by one. */
function excessProblem(index: JsonIndex, items: readonly ItemNode[]): RequestProblem | null {
  let parts = 0;
  for (const [position, item] of items.entries()) {
    parts += partsOf(index, item).length;
    if (parts <= BODY_LIMITS.content) continue;
    const message = `The items of "input" must not hold more than ${BODY_LIMITS.content} parts together.`;
    return problem(message, `input[${position}]`);
  }
  return null;
}

function optionProblem(index: JsonIndex): RequestProblem | null {
  const flag = flagProblem(index, 'stream') ?? flagProblem(index, 'background') ?? flagProblem(index, 'store');
  if (flag !== null) return flag;
  const tools = memberOf(index, 0, 'tools');
  if (isSet(index, tools) && kindOf(index, tools) !== 'array') return problem('"tools" must be a list.', 'tools');
  const previous = memberOf(index, 0, 'previous_response_id');
  return isSet(index, previous) && kindOf(index, previous) !== 'string'
    ? problem('"previous_response_id" must be a string.', 'previous_response_id')
    : null;
}

function inputProblem(index: JsonIndex): RequestProblem | null {
  const node = memberOf(index, 0, 'input');
  if (!isSet(index, node)) {
    if (INPUT_ELSEWHERE.some((name) => isSet(index, memberOf(index, 0, name)))) return null;
    return problem(node === NONE ? 'The member "input" is missing.' : '"input" must not be null.', 'input');
  }
  const kind = kindOf(index, node);
  return kind === 'string' || kind === 'array' ? null : problem('"input" must be a text or a list of items.', 'input');
}

function canonical(index: JsonIndex, items: readonly ItemNode[], headers: Headers): CanonicalRequest {
  const background = parseNode(index, memberOf(index, 0, 'background')) === true;
  const extension: ResponsesExtension = { index, items, background };
  return {
    protocol: 'openai-responses',
    model: stringOf(index, memberOf(index, 0, 'model')) ?? '',
    stream: parseNode(index, memberOf(index, 0, 'stream')) === true,
    choices: 1,
    needs: readNeeds(index, items),
    maxOutputTokens: readLimit(index),
    // Usage is a part of every answer here.
    usageAsked: true,
    endsWithToolResult: isToolResult(items.at(-1)),
    effects: readEffects(index, items),
    background,
    isStored: parseNode(index, memberOf(index, 0, 'store')) !== false,
    conversation: readConversation(index, items, headers),
    estimatedInputTokens: estimateTokens(index, items),
    original: index.bytes,
    extensions: { 'openai-responses': extension },
  };
}

function readLimit(index: JsonIndex): number | null {
  const node = memberOf(index, 0, 'max_output_tokens');
  return node !== NONE && kindOf(index, node) === 'number' ? (parseNode(index, node) as number) : null;
}

function readConversation(
  index: JsonIndex,
  items: readonly ItemNode[],
  headers: Headers,
): CanonicalRequest['conversation'] {
  const text = (...path: string[]): string | null => nonEmpty(stringOf(index, memberAt(index, 0, ...path)));
  const prefix = prefixOf(index, items);
  const seals = readSeals(index, items);
  return {
    sessionId: sessionOf(headers, 'openai-responses'),
    promptCacheKey: text('prompt_cache_key'),
    previousResponseId: text('previous_response_id'),
    conversationId: text('conversation') ?? text('conversation', 'id'),
    ...(seals.length === 0 ? {} : { seals }),
    userId: text('metadata', 'user_id') ?? text('user'),
    prefixHash: prefix === null ? null : hash64(prefix),
  };
}
