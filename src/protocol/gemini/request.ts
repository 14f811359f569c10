import type { Headers } from '../../core/model/protocol.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  childrenOf,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  parseNode,
  stringOf,
} from '../json/index.ts';
import { type BodyReader, decodeBody } from '../shared/decode-body.ts';
import { hash64 } from '../shared/hash.ts';
import { BODY_LIMITS, problem } from '../shared/request-shape.ts';
import { sessionOf } from '../shared/session.ts';
import { nonEmpty } from '../shared/value.ts';
import type { Decoded, RequestProblem } from '../types.ts';
import {
  type ContentNode,
  endsWithToolResult,
  estimateTokens,
  listed,
  memberAlong,
  memberIn,
  outlineContents,
  prefixOf,
  REQUEST_DEPTH,
  readEffects,
  readNeeds,
} from './outline.ts';
import { readTarget } from './path.ts';

/** What `encodeRequest` needs again: the index of the body and its contents. */
export type GeminiExtension = { readonly index: JsonIndex; readonly contents: readonly ContentNode[] };

const MAX_MODEL_LENGTH = 256;

/**
 * Reads a client's body. Model and method stand in the path, not in the body: the server puts the path with its query
 * (`/v1beta/models/{model}:streamGenerateContent?alt=sse`) into the pseudo header `:path`, a name that no client can send.
 */
export function decodeRequest(body: Uint8Array, headers: Headers): Decoded {
  const target = readTarget(headers[':path'] ?? '');
  if (target === null || target.method === 'countTokens') {
    const words = 'The path must be /v1beta/models/{model}:generateContent or :streamGenerateContent.';
    return { ok: false, problem: problem(words, 'model') };
  }
  return decodeRequestFor(target.model, target.method === 'streamGenerateContent', body, headers);
}

/** The same for who has read the path already. */
export function decodeRequestFor(model: string, stream: boolean, body: Uint8Array, headers: Headers): Decoded {
  const found = modelProblem(model);
  if (found !== null) return { ok: false, problem: found };
  const reader: BodyReader<ContentNode> = {
    ...READER,
    canonical: (index, contents, given) => canonical(index, contents, given, { model, stream }),
  };
  return decodeBody(reader, body, headers);
}

function modelProblem(model: string): RequestProblem | null {
  if (model === '') return problem('The path must name a model.', 'model');
  return model.length > MAX_MODEL_LENGTH
    ? problem(`The model's name must not be longer than ${MAX_MODEL_LENGTH} characters.`, 'model')
    : null;
}

const READER: Omit<BodyReader<ContentNode>, 'canonical'> = {
  protocol: 'gemini',
  depth: REQUEST_DEPTH,
  checks: [
    twiceProblem,
    contentsProblem,
    (index) => kindProblem(index, ['systemInstruction'], ['object', 'string'], 'an object with parts'),
    (index) => kindProblem(index, ['tools'], ['array', 'object'], 'a list'),
    (index) => kindProblem(index, ['toolConfig'], ['object'], 'an object'),
    (index) => kindProblem(index, ['generationConfig'], ['object'], 'an object'),
    (index) => countProblem(index, 'candidateCount', 1, 128),
    (index) => countProblem(index, 'maxOutputTokens', 0, Number.MAX_SAFE_INTEGER),
  ],
  outline: outlineContents,
  list: 'contents',
  element: 'an object with parts',
  excess: excessProblem,
};

/** Members of which two readers must not see two, in whatever spelling. */
const SINGLE: readonly (readonly [name: string, spellings: readonly string[]])[] = [
  ['contents', ['contents']],
  ['tools', ['tools']],
  ['systemInstruction', ['systemInstruction', 'system_instruction']],
  ['generationConfig', ['generationConfig', 'generation_config']],
  ['toolConfig', ['toolConfig', 'tool_config']],
  ['cachedContent', ['cachedContent', 'cached_content']],
];

function twiceProblem(index: JsonIndex): RequestProblem | null {
  const members = childrenOf(index, 0);
  for (const [name, spellings] of SINGLE) {
    const found = members.filter((node) => spellings.some((spelling) => isKey(index, node, spelling)));
    if (found.length > 1) return problem(`The member "${name}" stands more than once in the request body.`, name);
  }
  return null;
}

function contentsProblem(index: JsonIndex): RequestProblem | null {
  const node = memberOf(index, 0, 'contents');
  if (node === NONE) return problem('The member "contents" is missing.', 'contents');
  if (!['array', 'object'].includes(kindOf(index, node))) return problem('"contents" must be a list.', 'contents');
  return listed(index, node).length === 0 ? problem('"contents" must not be empty.', 'contents') : null;
}

function kindProblem(
  index: JsonIndex,
  path: readonly string[],
  kinds: readonly string[],
  words: string,
): RequestProblem | null {
  const node = memberAlong(index, ...path);
  const isGood = !isSet(index, node) || kinds.includes(kindOf(index, node));
  return isGood ? null : problem(`"${path.join('.')}" must be ${words}.`, path.join('.'));
}

function countProblem(index: JsonIndex, name: string, least: number, most: number): RequestProblem | null {
  const node = memberAlong(index, 'generationConfig', name);
  if (!isSet(index, node)) return null;
  const count = numberOf(index, node);
  const path = `generationConfig.${name}`;
  return count !== null && Number.isInteger(count) && count >= least && count <= most
    ? null
    : problem(`"${path}" must be a whole number, ${least} or more.`, path);
}

/** Google's JSON writes whole numbers as texts, too. */
function numberOf(index: JsonIndex, node: number): number | null {
  if (!isSet(index, node)) return null;
  const text = stringOf(index, node);
  if (text !== null) return /^\d{1,15}$/.test(text) ? Number(text) : null;
  const value = kindOf(index, node) === 'number' ? parseNode(index, node) : null;
  return typeof value === 'number' ? value : null;
}

/** Parts are looked at and edited one by one. */
function excessProblem(index: JsonIndex, contents: readonly ContentNode[]): RequestProblem | null {
  const { content, lists } = BODY_LIMITS;
  if (contents.length > lists.messages) {
    return problem(`"contents" must not hold more than ${lists.messages} elements.`, 'contents');
  }
  if (listed(index, memberOf(index, 0, 'tools')).length > lists.tools) {
    return problem(`"tools" must not hold more than ${lists.tools} elements.`, 'tools');
  }
  const count = contents.reduce((sum, { parts }) => sum + parts.length, 0);
  return count <= content ? null : problem(`All contents must not hold more than ${content} parts.`, 'contents');
}

type Asked = { readonly model: string; readonly stream: boolean };

function canonical(
  index: JsonIndex,
  contents: readonly ContentNode[],
  headers: Headers,
  { model, stream }: Asked,
): CanonicalRequest {
  const config = memberAlong(index, 'generationConfig');
  const choices = numberOf(index, memberIn(index, config, 'candidateCount')) ?? 1;
  const extension: GeminiExtension = { index, contents };
  const prefix = prefixOf(index, contents);
  return {
    protocol: 'gemini',
    model,
    stream,
    choices,
    needs: readNeeds(index, contents, choices),
    maxOutputTokens: numberOf(index, memberIn(index, config, 'maxOutputTokens')),
    // Usage is a part of the protocol: every answer has it.
    usageAsked: true,
    endsWithToolResult: endsWithToolResult(index, contents),
    effects: readEffects(index),
    conversation: {
      sessionId: sessionOf(headers, 'gemini'),
      promptCacheKey: nonEmpty(stringOf(index, memberAlong(index, 'cachedContent'))),
      previousResponseId: null,
      userId: null,
      prefixHash: prefix === null ? null : hash64(prefix),
    },
    estimatedInputTokens: estimateTokens(index, contents),
    original: index.bytes,
    extensions: { gemini: extension },
  };
}
