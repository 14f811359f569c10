import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  applyEdits,
  childrenOf,
  concatBytes,
  type Edit,
  encodeUtf8,
  indexJson,
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
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { requestHeaders } from '../shared/session.ts';
import type { Egress, EncodedRequest, RequestState } from '../types.ts';
import { type ItemNode, outlineItems } from './outline.ts';
import { decodeRequest, type ResponsesExtension } from './request.ts';
import { isThought, readState, stateEdits } from './state.ts';

const PATH = '/responses';

/** Depth of an item on its own: the item, its content, a part, its members. */
const ITEM_DEPTH = 4;

/**
 * A client's request as a target is to get it: the original bytes, and the edits that this target needs between them.
 * `previous_response_id` stays where the history is not given in its place: an answer to half a conversation would be
 * worse than none.
 */
export function encodeRequest(request: CanonicalRequest, egress: Egress): EncodedRequest {
  const { index, items } = extensionOf(request);
  const edits: readonly Edit[] = [
    childrenOf(index, 0)
      .filter((node) => isKey(index, node, 'model'))
      .map((node) => replaceValue(index, node, JSON.stringify(egress.model))),
    defaultEdits(index, egress),
    leftOutEdits(index, egress),
    historyEdits(index, items, egress),
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
function extensionOf(request: CanonicalRequest): ResponsesExtension {
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
function leftOutEdits(index: JsonIndex, { capabilities, history }: Egress): Edit[] {
  const names: string[] = [];
  // A target that has refused the member would refuse it from the client as well.
  if (capabilities.streamUsage === false) names.push('stream_options');
  if (history !== undefined) names.push('previous_response_id');
  return names.length === 0 ? [] : removeMembers(index, 0, (node) => names.some((name) => isKey(index, node, name)));
}

/** What the provider was to know by an id stands in front of the input, which becomes a list for it. */
function historyEdits(index: JsonIndex, items: readonly ItemNode[], { history, withoutState }: Egress): Edit[] {
  if (history === undefined || history.length === 0) return [];
  const before = history.map((item) => (withoutState ? withoutForeign(item) : item)).filter(({ length }) => length > 0);
  const list = concatBytes(before.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item])));
  const input = memberOf(index, 0, 'input');
  if (input === NONE) {
    const added = concatBytes([encodeUtf8('"input":['), list, encodeUtf8('],')]);
    const start = valueStart(index, 0) + 1;
    return [{ start, end: start, text: added }];
  }
  const [start, end] = [valueStart(index, input), valueEnd(index, input)];
  if (kindOf(index, input) === 'array') {
    const isAnyLeft = items.some((item) => !(withoutState && isThought(index, item)));
    const comma = isAnyLeft && list.length > 0 ? [COMMA] : [];
    return [{ start: start + 1, end: start + 1, text: concatBytes([list, ...comma]) }];
  }
  const own =
    kindOf(index, input) === 'string'
      ? [encodeUtf8('{"role":"user","content":'), index.bytes.subarray(start, end), encodeUtf8('}')]
      : [];
  const comma = own.length > 0 && list.length > 0 ? [COMMA] : [];
  return [{ start, end, text: concatBytes([encodeUtf8('['), list, ...comma, ...own, encodeUtf8(']')]) }];
}

const COMMA = encodeUtf8(',');

/** An item that stands alone; empty when nothing is left of it. */
function withoutForeign(item: Uint8Array): Uint8Array {
  const list = concatBytes([encodeUtf8('{"input":['), item, encodeUtf8(']}')]);
  const index = indexJson(list, ITEM_DEPTH + 1);
  const items = index === null ? 0 : outlineItems(index);
  if (index === null || typeof items === 'number') return item;
  const from = list.length - item.length - 2;
  return concatBytes(applyEdits(list, stateEdits(index, items), from, from + item.length));
}

const roleEdits = (index: JsonIndex, items: readonly ItemNode[]): Edit[] =>
  items
    .flatMap(({ node }) => childrenOf(index, node).filter((member) => isKey(index, member, 'role')))
    .filter((role) => stringOf(index, role) === 'developer')
    .map((role) => replaceValue(index, role, '"system"'));
