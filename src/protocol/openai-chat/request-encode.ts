import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  applyEdits,
  childrenOf,
  type Edit,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  removeMembers,
  replaceValue,
  setMembers,
  stringOf,
} from '../json/index.ts';
import { requestHeaders } from '../shared/session.ts';
import type { Egress, EncodedRequest } from '../types.ts';
import { elementsOf, type MessageNode } from './outline.ts';
import { type ChatExtension, decodeRequest } from './request.ts';
import { alnum9Edits, membersOf } from './tool-ids.ts';

export const PATH = '/chat/completions';

/** Members that carry what only the provider that wrote them can read. */
const FOREIGN_STATE: readonly string[] = [
  'reasoning_details',
  'reasoning_opaque',
  'reasoning_signature',
  'thinking_blocks',
  'thinking_signature',
  'thought_signature',
  'encrypted_content',
  'signature',
  'extra_content',
];

/** Families whose newer models refuse `max_tokens`. All else knows it, and much of it nothing else. */
export const WANTS_COMPLETION_TOKENS: RegExp = /(^|\/)(o[1-9]|gpt-[5-9])/;

/**
 * A client's request as a target is to get it: the original bytes, and the edits that this target needs between them.
 */
export function encodeRequest(request: CanonicalRequest, egress: Egress): EncodedRequest {
  const { index, messages } = extensionOf(request);
  const model = JSON.stringify(egress.model);
  const edits: Edit[] = [
    ...childrenOf(index, 0)
      .filter((node) => isKey(index, node, 'model'))
      .map((node) => replaceValue(index, node, model)),
    ...topEdits(index, request, egress),
    ...(egress.capabilities.developerRole === false ? roleEdits(index, messages) : []),
    ...(egress.capabilities.toolCallIds === 'alnum9' ? alnum9Edits(index, messages) : []),
    ...(egress.withoutState ? stateEdits(index, messages) : []),
  ];
  return { path: PATH, headers: requestHeaders(request.stream), body: applyEdits(request.original, edits) };
}

/** A request that came from elsewhere than `decodeRequest` is read again. */
function extensionOf(request: CanonicalRequest): ChatExtension {
  const kept = request.extensions['openai-chat'] as ChatExtension | undefined;
  if (kept !== undefined && kept.index.bytes === request.original) return kept;
  const decoded = decodeRequest(request.original, {});
  if (!decoded.ok) throw new TypeError(`not a Chat Completions request: ${decoded.problem.message}`);
  return decoded.request.extensions['openai-chat'] as ChatExtension;
}

/** Members of the top that are added, completed or taken out. */
function topEdits(index: JsonIndex, request: CanonicalRequest, egress: Egress): Edit[] {
  const added: [name: string, json: string][] = [];
  const edits: Edit[] = [];
  const options = memberOf(index, 0, 'stream_options');
  if (egress.capabilities.streamUsage === false) {
    // A target that has refused the member would refuse it from the client as well.
    const isOptions = (node: number): boolean => isKey(index, node, 'stream_options');
    for (const edit of removeMembers(index, 0, isOptions)) edits.push(edit);
  } else if (egress.askUsage && request.stream && !request.usageAsked) {
    if (!isSet(index, options)) added.push(['stream_options', '{"include_usage":true}']);
    else if (kindOf(index, options) === 'object') edits.push(...askUsage(index, options));
  }
  const { reasoningEffort, maxOutputTokens } = egress.defaults;
  if (reasoningEffort !== undefined && !hasAny(index, ['reasoning_effort', 'reasoning'])) {
    added.push(['reasoning_effort', JSON.stringify(reasoningEffort)]);
  }
  if (maxOutputTokens !== undefined && !hasAny(index, ['max_tokens', 'max_completion_tokens'])) {
    const name = WANTS_COMPLETION_TOKENS.test(egress.model) ? 'max_completion_tokens' : 'max_tokens';
    added.push([name, String(maxOutputTokens)]);
  }
  return [...edits, ...setMembers(index, 0, added)];
}

function askUsage(index: JsonIndex, options: number): Edit[] {
  const asked = memberOf(index, options, 'include_usage');
  return asked === NONE
    ? setMembers(index, options, [['include_usage', 'true']])
    : [replaceValue(index, asked, 'true')];
}

const hasAny = (index: JsonIndex, names: readonly string[]): boolean =>
  names.some((name) => isSet(index, memberOf(index, 0, name)));

const roleEdits = (index: JsonIndex, messages: readonly MessageNode[]): Edit[] =>
  messages
    .flatMap(({ node }) => membersOf(index, node, 'role'))
    .filter((role) => stringOf(index, role) === 'developer')
    .map((role) => replaceValue(index, role, '"system"'));

function stateEdits(index: JsonIndex, messages: readonly MessageNode[]): Edit[] {
  const isForeign = (member: number): boolean => FOREIGN_STATE.some((name) => isKey(index, member, name));
  const edits: Edit[] = [];
  for (const { node, content } of messages) {
    const insides = [...elementsOf(index, content), ...elementsOf(index, memberOf(index, node, 'tool_calls'))];
    for (const object of [node, ...insides]) {
      if (kindOf(index, object) !== 'object') continue;
      for (const edit of removeMembers(index, object, isForeign)) edits.push(edit);
    }
  }
  return edits;
}
