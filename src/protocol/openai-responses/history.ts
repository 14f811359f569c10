import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  applyEdits,
  concatBytes,
  type Edit,
  EMPTY,
  encodeUtf8,
  indexJson,
  isKey,
  type JsonIndex,
  joinLists,
  kindOf,
  memberOf,
  NONE,
  removeMembers,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { bytesOf } from '../shared/nodes.ts';
import type { Decoded } from '../types.ts';
import { outlineItems } from './outline.ts';
import { decodeRequest } from './request.ts';
import { extensionOf } from './request-encode.ts';
import { stateEdits } from './state.ts';

/** Depth of a list in a body: the body, the list, an item, its content, a part, its members. */
const LIST_DEPTH = 5;

const HEAD = encodeUtf8('{"input":[');
const TAIL = encodeUtf8(']}');
const [OPEN, CLOSE] = [encodeUtf8('['), encodeUtf8(']')];

/** See `ConversationCodec.expand`. */
export function expandRequest(request: CanonicalRequest, lists: readonly Uint8Array[]): Decoded {
  const { index } = extensionOf(request);
  const edits = [
    ...removeMembers(index, 0, (node) => isKey(index, node, 'previous_response_id')),
    ...inputEdits(index, joinLists(lists)),
  ];
  const decoded = decodeRequest(concatBytes(applyEdits(request.original, edits)), {});
  if (!decoded.ok) return decoded;
  const conversation = { ...request.conversation, previousResponseId: null };
  return { ok: true, request: { ...decoded.request, conversation } };
}

/** What the provider was to know by an id stands in front of the input, which becomes a list for it. */
function inputEdits(index: JsonIndex, list: Uint8Array): Edit[] {
  const input = memberOf(index, 0, 'input');
  if (input === NONE) {
    const start = valueStart(index, 0) + 1;
    return [{ start, end: start, text: concatBytes([encodeUtf8('"input":['), list, encodeUtf8('],')]) }];
  }
  const text = concatBytes([OPEN, joinLists([list, listOf(index, input)]), CLOSE]);
  return [{ start: valueStart(index, input), end: valueEnd(index, input), text }];
}

/** See `ConversationCodec.inputOf`. */
export function inputOf(request: CanonicalRequest): Uint8Array {
  const { index } = extensionOf(request);
  const input = memberOf(index, 0, 'input');
  return input === NONE ? EMPTY : listOf(index, input).slice();
}

/** The inside of a list; one text is a message of the user; nothing for what is neither. */
export function listOf(index: JsonIndex, node: number): Uint8Array {
  const kind = kindOf(index, node);
  if (kind === 'array') return trim(index.bytes.subarray(valueStart(index, node) + 1, valueEnd(index, node) - 1));
  if (kind !== 'string') return EMPTY;
  return concatBytes([encodeUtf8('{"role":"user","content":'), bytesOf(index, node), encodeUtf8('}')]);
}

/** Blanks alone are no item, and a comma beside them would be one too many. */
function trim(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte > 0x20);
  return start < 0 ? EMPTY : bytes.subarray(start);
}

/** See `ConversationCodec.withoutState`. */
export function withoutState(list: Uint8Array): Uint8Array {
  const body = concatBytes([HEAD, list, TAIL]);
  const index = indexJson(body, LIST_DEPTH);
  const items = index === null ? 0 : outlineItems(index);
  if (index === null || typeof items === 'number') return list;
  const [from, to] = [HEAD.length, body.length - TAIL.length];
  return concatBytes(applyEdits(body, stateEdits(index, items), from, to));
}
