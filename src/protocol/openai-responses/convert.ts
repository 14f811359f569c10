import type { CanonicalEvent, Frame, RelayEdit } from '../../core/model/event.ts';
import {
  applyEdits,
  concatBytes,
  type Edit,
  encodeUtf8,
  indexJson,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  parseNode,
  replaceValue,
  setMembers,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { frameOf } from '../shared/frame.ts';
import { bytesOf, elementsOf, oneLine } from '../shared/nodes.ts';
import { isObject, nonEmpty } from '../shared/value.ts';
import { blockStart, createFrameSplitter, readBlock, trimSpan } from '../sse/index.ts';
import type { DecoderOptions } from '../types.ts';
import { AnswerBuilder } from './assemble.ts';
import { numbered } from './emit.ts';
import { isClientCall } from './items.ts';
import { openedItem, pieceEvents } from './pieces.ts';
import { decodeResponse } from './response.ts';
import type { WireItem } from './types.ts';

/** Items of more than any answer are only shown when they are done. */
const MAX_OPENED = 1024;

/** Depth of a response: its members, the items of its output. */
const DEPTH = 2;

type Say = (type: string, members: Uint8Array | object, events: readonly CanonicalEvent[]) => void;

/**
 * A JSON answer as a stream: opened, each item with its text in one piece and then whole, and the response itself in
 * the last event. Items and response are the bytes of the answer, so that nothing of them is lost.
 */
export function streamFromResponse(
  body: Uint8Array,
  options: Pick<DecoderOptions, 'usageAsked' | 'renameModel'>,
): readonly Frame[] {
  const decoded = decodeResponse(body, { renameModel: options.renameModel });
  const index = indexJson(decoded.body, DEPTH);
  if (index === null || kindOf(index, 0) !== 'object') return [frameOf(new Uint8Array(0), decoded.events)];
  const frames: Frame[] = [];
  const edits: readonly RelayEdit[] = [...decoded.edits, 'converted_to_stream'];
  const say: Say = (type, members, events) => {
    const bytes = eventOf(type, frames.length, members);
    frames.push(numbered(bytes, events, edits, frames.length));
  };
  const opened = openedResponse(index);
  say('response.created', opened, [{ type: 'start' }]);
  say('response.in_progress', opened, [{ type: 'in_progress' }]);
  const output = memberOf(index, 0, 'output');
  for (const [place, node] of elementsOf(index, output).entries()) sayItem(index, node, place, say);
  const isIncomplete = parseNode(index, memberOf(index, 0, 'status')) === 'incomplete';
  const usage: readonly CanonicalEvent[] = decoded.usage === null ? [] : [{ type: 'usage', usage: decoded.usage }];
  const last = decoded.events.filter(({ type }) => type === 'finish' || type === 'error' || type === 'cut');
  say(isIncomplete ? 'response.incomplete' : 'response.completed', member('response', bytesOf(index, 0)), [
    ...usage,
    ...last,
  ]);
  frames.push(frameOf(new Uint8Array(0), [{ type: 'done' }], [], 0));
  return frames;
}

/** `members` is an object, or the text of members to stand behind those of every event. */
function eventOf(type: string, sequence: number, members: Uint8Array | object): Uint8Array {
  const head = `event: ${type}\ndata: {"type":${JSON.stringify(type)},"sequence_number":${sequence},`;
  const text = members instanceof Uint8Array ? oneLine(members) : encodeUtf8(JSON.stringify(members).slice(1, -1));
  return concatBytes([encodeUtf8(head), text, encodeUtf8('}\n\n')]);
}

const member = (name: string, json: Uint8Array): Uint8Array => concatBytes([encodeUtf8(`"${name}":`), json]);

/** The response as it was when nothing of it had been said. */
function openedResponse(index: JsonIndex): Uint8Array {
  const edits: Edit[] = [];
  const set = (name: string, json: string): void => {
    const node = memberOf(index, 0, name);
    if (node === NONE) edits.push(...setMembers(index, 0, [[name, json]]));
    else edits.push(replaceValue(index, node, json));
  };
  const isThere = (name: string): boolean => memberOf(index, 0, name) !== NONE;
  set('output', '[]');
  if (isThere('status')) set('status', '"in_progress"');
  for (const name of ['usage', 'incomplete_details', 'completed_at']) if (isThere(name)) set(name, 'null');
  return member('response', concatBytes(applyEdits(index.bytes, edits, valueStart(index, 0), valueEnd(index, 0))));
}

function sayItem(index: JsonIndex, node: number, place: number, say: Say): void {
  const item = parseNode(index, node);
  if (!isObject<WireItem>(item)) return;
  const id = nonEmpty(item.id);
  const where = { ...(id === null ? {} : { item_id: id }), output_index: place };
  if (place < MAX_OPENED) {
    say('response.output_item.added', { output_index: place, item: openedItem(item) }, [{ type: 'block_open' }]);
    for (const { type, members, events } of pieceEvents(item)) say(type, { ...where, ...members }, events);
  }
  const isCall = isClientCall(item);
  const done = concatBytes([encodeUtf8(`"output_index":${place},`), member('item', bytesOf(index, node))]);
  const end: readonly CanonicalEvent[] = isCall ? [{ type: 'tool_call' }, { type: 'tool_end', terminal: false }] : [];
  say('response.output_item.done', done, end);
}

/** A whole stream, as the decoder gave it, as one JSON answer. */
export function responseFromStream(frames: readonly Uint8Array[]): Uint8Array {
  const builder = new AnswerBuilder();
  const splitter = createFrameSplitter(Number.MAX_SAFE_INTEGER);
  for (const frame of frames) {
    splitter.push(frame, (bytes, start, end) => {
      const block = readBlock(bytes, blockStart(bytes, start, end), end);
      const [first] = block.data;
      if (first === undefined) return;
      const span = trimSpan(bytes, first);
      // Data over several lines was joined by the decoder.
      if (block.data.length === 1) builder.add(bytes.subarray(span.start, span.end), block.event);
    });
  }
  return builder.build();
}
