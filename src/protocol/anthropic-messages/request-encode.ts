import { OPTIONAL_FIELDS, VERSION_PART } from '../../core/model/capability.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  applyEdits,
  childrenOf,
  type Edit,
  EMPTY,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberAt,
  memberOf,
  replaceValue,
  setMembers,
  stringOf,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { typeOf } from '../shared/nodes.ts';
import { own } from '../shared/value.ts';
import type { Egress, EncodedRequest } from '../types.ts';
import { chooseBetas } from './betas.ts';
import { COMMON_VERSION, messagesHeaders } from './headers.ts';
import { leaveOutFields } from './optional-fields.ts';
import type { MessageNode } from './outline.ts';
import { decodeRequest, type MessagesExtension } from './request.ts';

const PATH = '/v1/messages';

/** Blocks that only their issuer can read. A thought without its signature is refused, so the whole block goes. */
const FOREIGN_BLOCKS: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

/** What the protocol calls the efforts of others that it does not know. */
const EFFORTS: Readonly<Record<string, string>> = { minimal: 'low' };

/**
 * A client's request as a target is to get it: the original bytes, and the edits that this target needs between them.
 */
export function encodeRequest(request: CanonicalRequest, egress: Egress): EncodedRequest {
  const { index, messages, version } = extensionOf(request);
  const { leaveOut = [] } = egress.capabilities;
  const betas = chooseBetas(egress.headers ?? {}, egress.capabilities);
  const fields = leaveOutFields(
    { index, messages },
    OPTIONAL_FIELDS.filter((field) => leaveOut.includes(field)),
  );
  const isCommon = leaveOut.includes(VERSION_PART) && version !== COMMON_VERSION;
  const edits: Edit[] = [
    ...childrenOf(index, 0)
      .filter((node) => isKey(index, node, 'model'))
      .map((node) => replaceValue(index, node, JSON.stringify(egress.model))),
    ...defaultEdits(index, egress),
  ];
  for (const edit of fields.edits) edits.push(edit);
  const without = egress.withoutState ? stateEdits(index, messages) : [];
  for (const edit of without) edits.push(edit);
  if (without.length > 0 && request.endsWithToolResult) edits.push(...unthinkingEdits(index));
  const leftOut = [...betas.leftOut, ...fields.fields, ...(isCommon ? [VERSION_PART] : [])];
  return {
    path: PATH,
    headers: { ...messagesHeaders(request.stream, isCommon ? COMMON_VERSION : version), ...betas.headers },
    body: applyEdits(request.original, edits),
    ...(betas.sent.length === 0 ? {} : { sentBetas: betas.sent }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

/** A request that came from elsewhere than `decodeRequest` is read again. */
function extensionOf(request: CanonicalRequest): MessagesExtension {
  const kept = request.extensions['anthropic-messages'] as MessagesExtension | undefined;
  if (kept !== undefined && kept.index.bytes === request.original) return kept;
  const decoded = decodeRequest(request.original, {});
  if (!decoded.ok) throw new TypeError(`not a Messages request: ${decoded.problem.message}`);
  return decoded.request.extensions['anthropic-messages'] as MessagesExtension;
}

/** Limits and efforts of the configuration, where the client said nothing of them. */
function defaultEdits(index: JsonIndex, { defaults, capabilities }: Egress): Edit[] {
  const { reasoningEffort, maxOutputTokens } = defaults;
  const added: [name: string, json: string][] = [];
  const edits: Edit[] = [];
  if (maxOutputTokens !== undefined) added.push(['max_tokens', String(maxOutputTokens)]);
  const config = memberOf(index, 0, 'output_config');
  const isOpen =
    capabilities.leaveOut?.includes('output_config.effort') !== true &&
    !isSet(index, memberOf(index, 0, 'thinking')) &&
    !isSet(index, memberAt(index, 0, 'output_config', 'effort'));
  if (reasoningEffort !== undefined && reasoningEffort !== 'none' && isOpen) {
    const effort = JSON.stringify(own(EFFORTS, reasoningEffort) ?? reasoningEffort);
    if (!isSet(index, config)) added.push(['output_config', `{"effort":${effort}}`]);
    else if (kindOf(index, config) === 'object') edits.push(...setMembers(index, config, [['effort', effort]]));
  }
  return [...edits, ...setMembers(index, 0, added)];
}

/**
 * A target that thinks wants to see what it thought before the calls whose results it gets now: without that it must not
 * think on.
 */
function unthinkingEdits(index: JsonIndex): Edit[] {
  const thinking = memberOf(index, 0, 'thinking');
  const isOn = stringOf(index, memberAt(index, 0, 'thinking', 'type')) === 'enabled';
  return isOn ? [replaceValue(index, thinking, '{"type":"disabled"}')] : [];
}

/** Takes foreign blocks out of the assistant's turns; a turn of nothing else goes with them. */
function stateEdits(index: JsonIndex, messages: readonly MessageNode[]): Edit[] {
  const gone = new Set<number>();
  const edits: Edit[] = [];
  for (const { node, role, blocks } of messages) {
    if (role !== 'assistant') continue;
    const foreign = blocks.filter((block) => FOREIGN_BLOCKS.has(typeOf(index, block) ?? ''));
    if (foreign.length > 0 && foreign.length === blocks.length && messages.length > 1) gone.add(node);
    else for (const edit of removeElements(index, blocks, new Set(foreign))) edits.push(edit);
  }
  return [
    ...edits,
    ...removeElements(
      index,
      messages.map(({ node }) => node),
      gone,
    ),
  ];
}

/** Takes elements out of a list, each with one of its commas: that before it, unless nothing stays in front of it. */
function removeElements(index: JsonIndex, elements: readonly number[], gone: ReadonlySet<number>): Edit[] {
  const edits: Edit[] = [];
  let hasKept = false;
  for (const [position, node] of elements.entries()) {
    const before = elements[position - 1];
    const behind = elements[position + 1];
    if (!gone.has(node)) hasKept = true;
    else if (hasKept && before !== undefined) {
      edits.push({ start: valueEnd(index, before), end: valueEnd(index, node), text: EMPTY });
    } else {
      const end = behind === undefined ? valueEnd(index, node) : valueStart(index, behind);
      edits.push({ start: valueStart(index, node), end, text: EMPTY });
    }
  }
  return edits;
}
