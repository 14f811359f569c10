import type { AnswerCollector, KeptAnswer } from '../conversation.ts';
import {
  concatBytes,
  encodeUtf8,
  indexJson,
  type JsonIndex,
  joinLists,
  kindOf,
  memberOf,
  NONE,
  stringOf,
} from '../json/index.ts';
import { bytesOf } from '../shared/nodes.ts';
import { nonEmpty } from '../shared/value.ts';
import { blockStart, createFrameSplitter, readBlock, trimSpan } from '../sse/index.ts';
import { listOf } from './history.ts';

/** Of a response: its members. Of an event: those of the response in it. */
const RESPONSE_DEPTH = 1;
const EVENT_DEPTH = 2;

/** Where the name of an event stands in a frame: at its very start, or among the first members. */
const NAME_WITHIN = 256;
const ITEM_DONE = encodeUtf8('output_item.done');

/** Where nothing more is to come. A failed answer is none that anybody goes on from. */
const WHOLE: ReadonlySet<string | null> = new Set(['completed', 'incomplete', null]);

/**
 * Of a stream the last event has the whole response, and is the only one that is read. Some providers leave the output
 * out of it: for them the items are kept, unread, as they are done.
 */
export function createCollector(): AnswerCollector {
  const items: Uint8Array[] = [];
  let held = 0;
  return {
    frames(frames) {
      for (const { bytes, events } of frames) {
        if (events.some(({ type }) => type === 'finish' || type === 'done')) {
          const answer = readEnd(bytes, items);
          if (answer !== null) return answer;
        } else if (isItemDone(bytes)) {
          // Of its own: a frame is a part of what was read with it.
          items.push(bytes.slice());
          held += bytes.length;
        }
      }
      return null;
    },
    json: (body) => keep(body.slice(), []),
    get heldBytes() {
      return held;
    },
  };
}

/** A name in a text of the model's own would only keep a frame for nothing. */
function isItemDone(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, NAME_WITHIN);
  for (let at = head.indexOf(ITEM_DONE[0] ?? 0); at >= 0; at = head.indexOf(ITEM_DONE[0] ?? 0, at + 1)) {
    if (ITEM_DONE.every((byte, i) => head[at + i] === byte)) return true;
  }
  return false;
}

function readEnd(frame: Uint8Array, items: readonly Uint8Array[]): KeptAnswer | null {
  let found: KeptAnswer | null = null;
  eachEvent(frame, (json) => {
    const index = indexJson(json, EVENT_DEPTH);
    const response = index === null ? NONE : memberOf(index, 0, 'response');
    if (index !== null && response !== NONE && kindOf(index, response) === 'object') {
      found = keep(bytesOf(index, response).slice(), items) ?? found;
    }
  });
  return found;
}

/** The data of each event in these bytes: a translated frame may hold several. */
function eachEvent(frame: Uint8Array, take: (json: Uint8Array) => void): void {
  const splitter = createFrameSplitter(Number.MAX_SAFE_INTEGER);
  splitter.push(frame, (bytes, start, end) => {
    const [first, second] = readBlock(bytes, blockStart(bytes, start, end), end).data;
    if (first === undefined || second !== undefined) return;
    const span = trimSpan(bytes, first);
    take(bytes.subarray(span.start, span.end));
  });
}

function keep(response: Uint8Array, items: readonly Uint8Array[]): KeptAnswer | null {
  const index = indexJson(response, RESPONSE_DEPTH);
  if (index === null || kindOf(index, 0) !== 'object') return null;
  const text = (name: string): string | null => nonEmpty(stringOf(index, memberOf(index, 0, name)));
  const id = text('id');
  if (id === null || !WHOLE.has(text('status'))) return null;
  const told = outputOf(index);
  return { id, response, output: told.length === 0 && items.length > 0 ? doneItems(items) : told };
}

function outputOf(index: JsonIndex): Uint8Array {
  const node = memberOf(index, 0, 'output');
  return node === NONE || kindOf(index, node) !== 'array' ? new Uint8Array(0) : listOf(index, node);
}

function doneItems(frames: readonly Uint8Array[]): Uint8Array {
  const items: Uint8Array[] = [];
  for (const frame of frames) {
    eachEvent(frame, (json) => {
      const index = indexJson(json, RESPONSE_DEPTH);
      const item = index === null ? NONE : memberOf(index, 0, 'item');
      if (index !== null && item !== NONE && kindOf(index, item) === 'object') items.push(bytesOf(index, item));
    });
  }
  return concatBytes([joinLists(items)]);
}
