import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  applyEdits,
  childrenOf,
  type Edit,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberAt,
  memberOf,
  NONE,
  removeMembers,
  replaceValue,
  setMembers,
  stringOf,
} from '../json/index.ts';
import { requestHeaders } from '../shared/session.ts';
import type { Egress, EncodedRequest, RequestState } from '../types.ts';
import type { ItemNode } from './outline.ts';
import { decodeRequest, type ResponsesExtension } from './request.ts';
import { readState, stateEdits } from './state.ts';

const PATH = '/responses';

/**
 * A client's request as a target is to get it: the original bytes, and the edits that this target needs between them.
 * `previous_response_id` stays: an answer to half a conversation would be worse than none. Where it means nothing, the
 * request was expanded before.
 */
export function encodeRequest(request: CanonicalRequest, egress: Egress): EncodedRequest {
  const { index, items } = extensionOf(request);
  const edits: readonly Edit[] = [
    childrenOf(index, 0)
      .filter((node) => isKey(index, node, 'model'))
      .map((node) => replaceValue(index, node, JSON.stringify(egress.model))),
    defaultEdits(index, egress),
    leftOutEdits(index, egress),
    egress.capabilities.developerRole === false ? roleEdits(index, items) : [],
    egress.withoutState ? stateEdits(index, items) : [],
  ].flat();
  return { path: PATH, headers: requestHeaders(request.stream), body: applyEdits(request.original, edits) };
}

/** See `ProtocolCodec.readState`. */
export function requestState(request: CanonicalRequest): RequestState {
  const { index, items } = extensionOf(request);
  return readState(index, items);
}

/** A request that came from elsewhere than `decodeRequest` is read again. */
export function extensionOf(request: CanonicalRequest): ResponsesExtension {
  const kept = request.extensions['openai-responses'] as ResponsesExtension | undefined;
  if (kept !== undefined && kept.index.bytes === request.original) return kept;
  const decoded = decodeRequest(request.original, {});
  if (!decoded.ok) throw new TypeError(`not a Responses request: ${decoded.problem.message}`);
  return decoded.request.extensions['openai-responses'] as ResponsesExtension;
}

function defaultEdits(index: JsonIndex, egress: Egress): Edit[] {
  const { reasoningEffort, maxOutputTokens } = egress.defaults;
  const added: [name: string, json: string][] = [];
  const edits: Edit[] = [];
  const reasoning = memberOf(index, 0, 'reasoning');
  if (reasoningEffort !== undefined && !isSet(index, memberAt(index, 0, 'reasoning', 'effort'))) {
    const json = JSON.stringify(reasoningEffort);
    if (reasoning === NONE || kindOf(index, reasoning) === 'null') added.push(['reasoning', `{"effort":${json}}`]);
    else if (kindOf(index, reasoning) === 'object') edits.push(...setMembers(index, reasoning, [['effort', json]]));
  }
  if (maxOutputTokens !== undefined) added.push(['max_output_tokens', String(maxOutputTokens)]);
  return [...edits, ...setMembers(index, 0, added)];
}

/** Members of the top that this target must not get. */
function leftOutEdits(index: JsonIndex, { capabilities }: Egress): Edit[] {
  const names: string[] = [];
  // A target that has refused the member would refuse it from the client as well.
  if (capabilities.streamUsage === false) names.push('stream_options');
  return names.length === 0 ? [] : removeMembers(index, 0, (node) => names.some((name) => isKey(index, node, name)));
}

const roleEdits = (index: JsonIndex, items: readonly ItemNode[]): Edit[] =>
  items
    .flatMap(({ node }) => childrenOf(index, node).filter((member) => isKey(index, member, 'role')))
    .filter((role) => stringOf(index, role) === 'developer')
    .map((role) => replaceValue(index, role, '"system"'));
