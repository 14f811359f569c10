import {
  applyEdits,
  childrenOf,
  concatBytes,
  decodeUtf8,
  type Edit,
  encodeUtf8,
  indexJson,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  parseNode,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { bytesOf, elementsOf } from '../shared/nodes.ts';
import { nonEmpty, own } from '../shared/value.ts';
import { isTerminal } from './finish.ts';
import { placeOf, type WireEvent } from './types.ts';

/** Depth of an event: its members, those of the response, the items of its output. */
const DEPTH = 3;

type Piece = { readonly kind: string; text: string };

type Built = { opened: Record<string, unknown>; readonly pieces: Map<string, Piece>; done: Uint8Array | null };

/**
 * Puts the events of a stream together into the answer that a client without stream would have got: the response of the
 * last event, as it stands there. Its output is taken from the events before where it does not show any itself.
 */
export class AnswerBuilder {
  readonly #items = new Map<number, Built>();
  #terminal: JsonIndex | null = null;

  /** The data of one event; `name` is the event's own. */
  add(data: Uint8Array, name: string): void {
    const index = indexJson(data, DEPTH);
    if (index === null || kindOf(index, 0) !== 'object') return;
    const type = nonEmpty(parseNode(index, memberOf(index, 0, 'type'))) ?? name;
    if (isTerminal(type)) this.#terminal = index;
    else if (type === 'response.output_item.added' || type === 'response.output_item.done') this.#addItem(index, type);
    else {
      const kind = own(KINDS, type);
      if (kind !== undefined) this.#addPiece(JSON.parse(decodeUtf8(data)) as WireEvent, kind);
    }
  }

  build(): Uint8Array {
    const index = this.#terminal;
    const response = index === null ? NONE : memberOf(index, 0, 'response');
    if (index === null || response === NONE || kindOf(index, response) !== 'object') return encodeUtf8('{}');
    const output = memberOf(index, response, 'output');
    const isShown = elementsOf(index, output).length > 0 || this.#items.size === 0;
    const edits = isShown ? [] : [outputEdit(index, response, output, this.#output())];
    return concatBytes(applyEdits(index.bytes, edits, valueStart(index, response), valueEnd(index, response)));
  }

  #item(place: number): Built {
    const known = this.#items.get(place) ?? { opened: {}, pieces: new Map<string, Piece>(), done: null };
    this.#items.set(place, known);
    return known;
  }

  #addItem(index: JsonIndex, type: string): void {
    const node = memberOf(index, 0, 'item');
    if (node === NONE || kindOf(index, node) !== 'object') return;
    const item = this.#item(placeOf(parseNode(index, memberOf(index, 0, 'output_index'))));
    if (type.endsWith('.done')) item.done = bytesOf(index, node);
    else item.opened = parseNode(index, node) as Record<string, unknown>;
  }

  #addPiece(event: WireEvent, kind: string): void {
    if (typeof event.delta !== 'string') return;
    const { pieces } = this.#item(placeOf(event.output_index));
    const key = `${kind} ${placeOf(event.content_index)} ${placeOf(event.summary_index)}`;
    const known = pieces.get(key);
    if (known === undefined) pieces.set(key, { kind, text: event.delta });
    else known.text += event.delta;
  }

  #output(): Uint8Array {
    const items = [...this.#items]
      .toSorted(([a], [b]) => a - b)
      .map(([, item]) => item.done ?? encodeUtf8(JSON.stringify(itemOf(item))));
    const list = items.flatMap((item, i) => (i === 0 ? [item] : [encodeUtf8(','), item]));
    return concatBytes([encodeUtf8('['), ...list, encodeUtf8(']')]);
  }
}

/** What each kind of delta is a piece of: a member of the item, or a part of the list that holds such parts. */
const KINDS: Readonly<Record<string, string>> = {
  'response.output_text.delta': 'output_text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_text.delta': 'reasoning_text',
  'response.reasoning_summary_text.delta': 'summary_text',
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
};

/** An item of which only the pieces came. */
function itemOf({ opened, pieces }: Built): Record<string, unknown> {
  const start = Object.keys(opened).length > 0 ? opened : { type: 'message', role: 'assistant' };
  const item: Record<string, unknown> = { ...start, status: 'completed' };
  const summary: object[] = [];
  const content: object[] = [];
  for (const { kind, text } of pieces.values()) {
    if (kind === 'arguments' || kind === 'input') item[kind] = text;
    else if (kind === 'summary_text') summary.push({ type: kind, text });
    else if (kind === 'refusal') content.push({ type: kind, refusal: text });
    else content.push({ type: kind, text, ...(kind === 'output_text' ? { annotations: [] } : {}) });
  }
  if (summary.length > 0) item['summary'] = summary;
  if (content.length > 0) item['content'] = content;
  return item;
}

function outputEdit(index: JsonIndex, response: number, output: number, list: Uint8Array): Edit {
  if (output !== NONE) return { start: valueStart(index, output), end: valueEnd(index, output), text: list };
  const at = valueEnd(index, response) - 1;
  const comma = childrenOf(index, response).length === 0 ? '' : ',';
  return { start: at, end: at, text: concatBytes([encodeUtf8(`${comma}"output":`), list]) };
}
