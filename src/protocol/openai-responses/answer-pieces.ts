import type { BlockStart } from '../../core/model/answer.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { stringifyExact } from '../json/index.ts';
import { isJsonObject, listOf } from '../shared/json-object.ts';
import { isObject, nonEmpty, own } from '../shared/value.ts';
import type { OpenItem, Piece, PieceTeller } from './answer-items.ts';
import { readAnnotations } from './citation.ts';
import { PROTOCOL } from './members.ts';
import { readReasoningState } from './reasoning-state.ts';
import { placeOf } from './types.ts';

/** A kind of text in an answer. `key` tells the pieces of an item apart. */
export type Kind = 'text' | 'refusal' | 'summary' | 'thought' | 'call';

/** The type of the item that each kind of text belongs to; calls have two. */
export const ITEM_OF: Readonly<Record<Exclude<Kind, 'call'>, string>> = {
  text: 'message',
  refusal: 'message',
  summary: 'reasoning',
  thought: 'reasoning',
};

const keyOf = (kind: Kind, place: number): string => (kind === 'text' || kind === 'refusal' ? `part ${place}` : kind);

const CALLS: Readonly<Record<string, readonly ['function' | 'custom', member: 'arguments' | 'input']>> = {
  function_call: ['function', 'arguments'],
  custom_tool_call: ['custom', 'input'],
};

export const isCall = (type: string): boolean => own(CALLS, type) !== undefined;

/** What a block of this kind begins with; null: nobody can tell yet. */
function startOf(kind: Kind, item: OpenItem, isLast: boolean): BlockStart | null {
  if (kind === 'text' || kind === 'refusal') return { type: kind };
  if (kind !== 'call') return { type: 'reasoning', isSummary: kind === 'summary' };
  const name = nonEmpty(item.shown['name']);
  const id = nonEmpty(item.shown['call_id']) ?? (isLast ? (nonEmpty(item.shown['id']) ?? 'call_0') : null);
  const row = own(CALLS, item.type);
  if (id === null || row === undefined || (name === null && !isLast)) return null;
  const namespace = nonEmpty(item.shown['namespace']);
  return { type: 'tool_call', kind: row[0], id, name: name ?? '', ...(namespace === null ? {} : { namespace }) };
}

/** A text, or an object in its place as the text that it is. */
const textOf = (value: JsonValue | undefined): string => {
  if (typeof value === 'string') return value;
  return isObject(value) ? stringifyExact(value) : '';
};

/**
 * Says a piece of a text. `isSnapshot`: it repeats what was said before. What can't be opened yet is left to the
 * snapshots that follow.
 */
export function tellText(
  teller: PieceTeller,
  item: OpenItem,
  kind: Kind,
  place: number,
  value: JsonValue | undefined,
  isSnapshot: boolean,
): Piece | null {
  const key = keyOf(kind, place);
  const start = startOf(kind, item, item.isDone);
  const piece = start === null ? null : teller.open(item, key, start);
  const text = textOf(value);
  const slot = kind === 'summary' || kind === 'thought' ? place : 0;
  if (piece === null) {
    const held = teller.piece(item, key);
    if (!isSnapshot && !held.isClosed) held.said[slot] = (held.said[slot] ?? '') + text;
    return null;
  }
  if (isSnapshot) teller.saySnapshot(piece, text, slot, kind === 'summary');
  else teller.say(piece, text, slot, kind === 'summary');
  return piece;
}

/** Says what was held back while the call had no name yet. */
export function tellHeld(teller: PieceTeller, item: OpenItem): void {
  const piece = item.pieces.get('call');
  if (piece === undefined || piece.block !== null || piece.isClosed) return;
  const held = piece.said[0] ?? '';
  const start = startOf('call', item, item.isDone);
  if (start === null) return;
  piece.said.length = 0;
  const opened = teller.open(item, 'call', start);
  if (opened !== null) teller.say(opened, held, 0, false);
}

/** Citations and log probabilities that a list holds beyond those that were told. */
export function tellNotes(teller: PieceTeller, piece: Piece, part: JsonObject): void {
  if (piece.block === null) return;
  const { block } = piece;
  const citations = readAnnotations(part['annotations']) ?? [];
  for (const citation of citations.slice(piece.annotations)) teller.out.push({ type: 'citation', block, citation });
  piece.annotations = Math.max(piece.annotations, citations.length);
  tellLogprobs(teller, piece, listOf(part['logprobs']).slice(piece.logprobs));
}

/** One more citation, told by itself: lists that follow repeat it. */
export function tellCitation(teller: PieceTeller, piece: Piece, annotation: JsonObject): void {
  if (piece.block === null) return;
  const { block } = piece;
  const citations = readAnnotations([annotation]) ?? [];
  for (const citation of citations) teller.out.push({ type: 'citation', block, citation });
  piece.annotations += citations.length;
}

export function tellLogprobs(teller: PieceTeller, piece: Piece, content: readonly JsonValue[]): void {
  if (content.length === 0) return;
  piece.logprobs += content.length;
  teller.out.push({ type: 'logprobs', choice: 0, content });
}

const PARTS: Readonly<Record<string, readonly [Kind, member: string]>> = {
  output_text: ['text', 'text'],
  text: ['text', 'text'],
  refusal: ['refusal', 'refusal'],
  reasoning_text: ['thought', 'text'],
  summary_text: ['summary', 'text'],
};

/** A part as it is shown; whole where `isLast`. */
export function tellPart(
  teller: PieceTeller,
  item: OpenItem,
  part: JsonValue | undefined,
  place: number,
  isLast: boolean,
): void {
  if (!isJsonObject(part)) return;
  const row = own(PARTS, part['type']);
  if (row === undefined) {
    if (isLast) tellOther(teller, item, part, place);
    return;
  }
  const piece = tellText(teller, item, row[0], place, part[row[1]], true);
  if (piece === null || !isLast) return;
  tellNotes(teller, piece, part);
  if (item.type === 'message') teller.close(piece);
}

/** Sound, or what only this protocol knows: that stands for a message of its own. */
function tellOther(teller: PieceTeller, item: OpenItem, part: JsonObject, place: number): void {
  const piece = teller.piece(item, keyOf('text', place));
  if (piece.isClosed) return;
  piece.isClosed = true;
  teller.closeAll(item);
  const { data, transcript } = part;
  if (part['type'] === 'output_audio' && typeof data === 'string') {
    const said = nonEmpty(transcript);
    teller.tellWhole({ type: 'audio', data, mediaType: 'audio/wav', ...(said === null ? {} : { transcript: said }) });
    return;
  }
  const value = { type: 'message', role: 'assistant', content: [part] };
  teller.tellWhole({ type: 'native', protocol: PROTOCOL, what: nonEmpty(part['type']) ?? 'unknown', value });
}

function endReasoning(teller: PieceTeller, item: OpenItem): void {
  for (const [place, part] of listOf(item.shown['content']).entries()) tellPart(teller, item, part, place, true);
  for (const [place, part] of listOf(item.shown['summary']).entries()) tellPart(teller, item, part, place, true);
  const told = item.pieces.get('summary') ?? item.pieces.get('thought');
  const piece = told ?? teller.open(item, 'summary', { type: 'reasoning', isSummary: true });
  const encrypted = nonEmpty(item.shown['encrypted_content']);
  const state = encrypted === null ? null : readReasoningState(item.shown['id'], encrypted);
  if (piece?.block != null && state !== null) teller.out.push({ type: 'state', block: piece.block, state });
}

function endCall(teller: PieceTeller, item: OpenItem): void {
  tellHeld(teller, item);
  const row = own(CALLS, item.type);
  const piece = tellText(teller, item, 'call', 0, row === undefined ? '' : item.shown[row[1]], true);
  const isCut = item.shown['status'] === 'incomplete' || item.shown['status'] === 'in_progress';
  const isEmpty = piece !== null && (piece.said[0] ?? '') === '';
  if (isEmpty && row?.[0] === 'function' && !isCut) teller.say(piece, '{}', 0, false);
}

const IMAGE_TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml' };

function endOther(teller: PieceTeller, { type, shown }: OpenItem): void {
  const result = type === 'image_generation_call' ? nonEmpty(shown['result']) : null;
  if (result === null) {
    teller.tellWhole({ type: 'native', protocol: PROTOCOL, what: type, value: shown });
    return;
  }
  const format = nonEmpty(shown['output_format']) ?? 'png';
  teller.tellWhole({ type: 'image', data: result, mediaType: own(IMAGE_TYPES, format) ?? `image/${format}` });
}

/** An item that is whole: what was not said of it yet, and its end. */
export function endItem(teller: PieceTeller, item: OpenItem): void {
  if (item.isDone) return;
  item.isDone = true;
  if (item.type === 'message') {
    for (const [place, part] of listOf(item.shown['content']).entries()) tellPart(teller, item, part, place, true);
  } else if (item.type === 'reasoning') endReasoning(teller, item);
  else if (isCall(item.type)) endCall(teller, item);
  else endOther(teller, item);
  teller.closeAll(item);
}

/** The place that an event names in the list that its kind of text stands in. */
export const placeIn = (kind: Kind, event: { content_index?: unknown; summary_index?: unknown }): number =>
  kind === 'call' ? 0 : placeOf(kind === 'summary' ? event.summary_index : event.content_index);
