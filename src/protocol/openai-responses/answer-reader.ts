import type { AnswerEvent } from '../../core/model/answer.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isJsonObject, objectOf } from '../shared/json-object.ts';
import { nonEmpty, own, timeOf } from '../shared/value.ts';
import { createItem, grown, isOther, type OpenItem, PieceTeller } from './answer-items.ts';
import {
  endItem,
  ITEM_OF,
  isCall,
  type Kind,
  placeIn,
  tellCitation,
  tellHeld,
  tellLogprobs,
  tellNotes,
  tellPart,
  tellText,
} from './answer-pieces.ts';
import { isTerminal, readFinish } from './finish.ts';
import { isClientCall } from './items.ts';
import { placeOf } from './types.ts';
import { readUsage } from './usage.ts';

type Event = JsonObject;

/** Texts that come in pieces, by the stem of their events; the member of the last one, which holds all. */
const TEXTS: Readonly<Record<string, readonly [Kind, whole: string]>> = {
  'response.output_text': ['text', 'text'],
  'response.refusal': ['refusal', 'refusal'],
  'response.reasoning_summary_text': ['summary', 'text'],
  'response.reasoning_summary': ['summary', 'text'],
  'response.reasoning_text': ['thought', 'text'],
  'response.reasoning': ['thought', 'text'],
  'response.function_call_arguments': ['call', 'arguments'],
  'response.custom_tool_call_input': ['call', 'input'],
};

const PARTS: Readonly<Record<string, 'content_index' | 'summary_index'>> = {
  'response.content_part': 'content_index',
  'response.reasoning_part': 'content_index',
  'response.reasoning_summary_part': 'summary_index',
};

/** The item that a snapshot names by its id, or by that of its call. */
function findNamed(items: ReadonlySet<OpenItem>, shown: JsonObject): OpenItem | undefined {
  const isSame = (name: string, item: OpenItem): boolean =>
    nonEmpty(shown[name]) !== null && item.shown[name] === shown[name] && item.type === shown['type'];
  const all = [...items];
  return all.find((item) => isSame('id', item)) ?? all.find((item) => isSame('call_id', item));
}

/** An answer of this protocol as canonical events: item by item, each said once, however often it was shown. */
export class AnswerReader {
  readonly #teller = new PieceTeller();
  /** Items by their places, the last where several claim one. */
  readonly #places = new Map<number, OpenItem>();
  readonly #items: OpenItem[] = [];
  #hasStarted = false;
  #hasFinished = false;
  #hasCalls = false;

  /** What has become known since the last time. */
  take(): readonly AnswerEvent[] {
    return this.#teller.take();
  }

  /** One event of a stream. */
  read(event: Event, name: string): void {
    if (this.#hasFinished) return;
    const type = nonEmpty(event['type']) ?? name;
    const response = event['response'];
    if (isJsonObject(response)) this.#start(response);
    if (isTerminal(type)) this.#finish(type, event, objectOf(response));
    else if (type === 'response.output_item.added') this.#showItem(event, false);
    else if (type === 'response.output_item.done') this.#showItem(event, true);
    else if (type === 'response.output_text.annotation.added') this.#annotate(event);
    else this.#piece(type, event);
  }

  /** A whole answer. */
  readWhole(response: JsonObject): void {
    const status = nonEmpty(response['status']) ?? 'completed';
    this.#start(response);
    this.#finish(`response.${status}`, { response }, response);
  }

  end(): void {
    this.#start({});
    this.#close('unknown', null);
    this.#teller.out.push({ type: 'end' });
  }

  #start({ id, model, created_at: createdAt, service_tier: tier }: JsonObject): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const serviceTier = nonEmpty(tier);
    this.#teller.out.push({
      type: 'start',
      id: nonEmpty(id),
      model: nonEmpty(model),
      createdAt: timeOf(createdAt),
      ...(serviceTier === null ? {} : { serviceTier }),
    });
  }

  #open(place: number, type: string, shown: JsonObject): OpenItem {
    this.#start({});
    const item = createItem(type, shown);
    this.#places.set(place, item);
    this.#items.push(item);
    if (isCall(type)) this.#hasCalls = true;
    return item;
  }

  #showItem(event: Event, isDone: boolean): void {
    const shown = event['item'];
    if (!isJsonObject(shown)) return;
    const place = placeOf(event['output_index']);
    const known = this.#places.get(place);
    const item = known === undefined || isOther(known, shown) ? null : known;
    if (item === null && known !== undefined) endItem(this.#teller, known);
    this.#show(item ?? this.#open(place, nonEmpty(shown['type']) ?? 'unknown', shown), shown, isDone);
  }

  #show(item: OpenItem, shown: JsonObject, isDone: boolean): void {
    if (item.isDone) return;
    item.shown = grown(item, shown, isDone);
    if (isClientCall(item.shown)) this.#hasCalls = true;
    if (isDone) endItem(this.#teller, item);
    else if (isCall(item.type)) {
      tellHeld(this.#teller, item);
      tellText(this.#teller, item, 'call', 0, '', false);
    }
  }

  /** The item that an event is about; one that was never shown is opened. */
  #itemOf(event: Event, type: string): OpenItem {
    const id = nonEmpty(event['item_id']);
    const named = id === null ? undefined : this.#items.find((item) => item.shown['id'] === id && item.type === type);
    const place = event['output_index'];
    const placed = Number.isInteger(place) ? this.#places.get(place as number) : (named ?? this.#items.at(-1));
    if (placed !== undefined && (placed.type === type || (type === 'function_call' && isCall(placed.type))))
      return placed;
    return named ?? this.#open(placeOf(place), type, {});
  }

  #piece(type: string, event: Event): void {
    const dot = type.lastIndexOf('.');
    const [stem, verb] = [type.slice(0, dot), type.slice(dot + 1)];
    const text = own(TEXTS, stem);
    if (text !== undefined && (verb === 'delta' || verb === 'done')) this.#text(stem, text, event, verb === 'done');
    const place = own(PARTS, stem);
    const part = event['part'];
    if (place === undefined || !isJsonObject(part)) return;
    const isReasoning = place === 'summary_index' || part['type'] === 'reasoning_text';
    const item = this.#itemOf(event, isReasoning ? 'reasoning' : 'message');
    if (!item.isDone) tellPart(this.#teller, item, part, placeOf(event[place]), verb === 'done');
  }

  #text(stem: string, [kind, whole]: readonly [Kind, string], event: Event, isDone: boolean): void {
    const custom = stem === 'response.custom_tool_call_input' ? 'custom_tool_call' : 'function_call';
    const item = this.#itemOf(event, kind === 'call' ? custom : ITEM_OF[kind]);
    if (item.isDone) return;
    const name = nonEmpty(event['name']);
    if (kind === 'call' && name !== null && nonEmpty(item.shown['name']) === null) item.shown = { ...item.shown, name };
    const value = event[isDone ? whole : 'delta'];
    if (kind === 'call') tellHeld(this.#teller, item);
    const piece = tellText(this.#teller, item, kind, placeIn(kind, event), value, isDone);
    if (piece === null || kind !== 'text') return;
    const { logprobs } = event;
    if (isDone) tellNotes(this.#teller, piece, event);
    else tellLogprobs(this.#teller, piece, Array.isArray(logprobs) ? logprobs : []);
  }

  #annotate(event: Event): void {
    const item = this.#itemOf(event, 'message');
    const { annotation } = event;
    if (item.isDone || !isJsonObject(annotation)) return;
    const piece = tellText(this.#teller, item, 'text', placeOf(event['content_index']), '', false);
    if (piece === null) return;
    tellCitation(this.#teller, piece, annotation);
  }

  /** The last snapshot of all: items that no event has told of, or not to their ends. */
  #showAll(output: JsonValue | undefined): void {
    const rest = new Set(this.#items);
    for (const [place, shown] of (Array.isArray(output) ? output : []).entries()) {
      if (!isJsonObject(shown)) continue;
      const type = nonEmpty(shown['type']) ?? 'unknown';
      const placed = this.#items[place];
      const item = findNamed(rest, shown) ?? (placed?.type === type && rest.has(placed) ? placed : undefined);
      // Some providers give items other ids each time, and leave some of them out in the end.
      const same = item ?? [...rest].find((each) => each.type === type && each.isDone);
      if (same !== undefined) rest.delete(same);
      this.#show(same ?? this.#open(place, type, shown), shown, true);
    }
  }

  #finish(type: string, event: Event, response: JsonObject): void {
    this.#start(response);
    this.#showAll(response['output']);
    const usage = readUsage(response['usage']);
    if (usage !== null) this.#teller.out.push({ type: 'usage', usage });
    const ending = readFinish(type, event, response, this.#hasCalls);
    if (ending?.type === 'finish') this.#close(ending.reason, ending.raw);
    else this.#close('error', ending?.error.code ?? null);
  }

  #close(reason: Extract<AnswerEvent, { type: 'finish' }>['reason'], raw: string | null): void {
    if (this.#hasFinished) return;
    this.#hasFinished = true;
    for (const item of this.#items) this.#teller.closeAll(item);
    this.#teller.out.push({ type: 'finish', choice: 0, reason, raw });
  }
}
