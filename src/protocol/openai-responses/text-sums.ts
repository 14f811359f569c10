import { decodeUtf8 } from '../json/index.ts';
import { isObject, nonEmpty, own } from '../shared/value.ts';
import { placeOf, type WireEvent, type WireItem, type WirePart, type WireResponse } from './types.ts';

/** Texts beyond it, over all parts that are open, are not kept, and so never known to be whole. */
const MAX_BYTES = 1 << 20;

/** Parts that are open at once. More are not kept either. */
const MAX_PARTS = 64;

type Sum = { bytes: Uint8Array; length: number };

/**
 * What the deltas of each open part add up to, kept as the insides of a JSON string: deltas are copied as they stand on
 * the wire, without being read.
 */
export class TextSums {
  readonly #sums = new Map<string, Sum>();
  #total = 0;
  /** The part that the last delta was for, while nothing says that it is done. */
  current: string | null = null;

  /** Adds a JSON string; `start` and `end` take its quotes in. */
  add(key: string, bytes: Uint8Array, start: number, end: number): void {
    this.current = key;
    const added = end - start - 2;
    this.#total += added;
    const isNew = !this.#sums.has(key);
    if (this.#total > MAX_BYTES || (isNew && this.#sums.size === MAX_PARTS)) {
      this.#sums.clear();
      this.#total = Number.POSITIVE_INFINITY;
      return;
    }
    const sum = this.#sums.get(key) ?? { bytes: new Uint8Array(256), length: 0 };
    this.#sums.set(key, sum);
    if (sum.length + added > sum.bytes.length) {
      const larger = new Uint8Array(Math.max(sum.bytes.length * 2, sum.length + added));
      larger.set(sum.bytes.subarray(0, sum.length));
      sum.bytes = larger;
    }
    sum.bytes.set(bytes.subarray(start + 1, end - 1), sum.length);
    sum.length += added;
  }

  /** Is this text all that the deltas of the part have said? */
  matches(key: string, text: string): boolean {
    const sum = this.#sums.get(key);
    if (sum === undefined) return false;
    return JSON.parse(`"${decodeUtf8(sum.bytes.subarray(0, sum.length))}"`) === text;
  }

  /** The part is done: nothing will be added to it. */
  close(key: string): void {
    if (this.current === key) this.current = null;
    const sum = this.#sums.get(key);
    if (sum === undefined) return;
    this.#total -= sum.length;
    this.#sums.delete(key);
  }
}

/** Deltas of text that a snapshot repeats, by the event's type: the kind of the part, and the member with its place. */
const DELTAS: Readonly<Record<string, readonly [kind: string, place: 'content_index' | 'summary_index']>> = {
  'response.output_text': ['output_text', 'content_index'],
  'response.refusal': ['refusal', 'content_index'],
  'response.reasoning_text': ['reasoning_text', 'content_index'],
  'response.reasoning_summary_text': ['summary_text', 'summary_index'],
  'response.content_part': ['', 'content_index'],
  'response.reasoning_summary_part': ['summary_text', 'summary_index'],
};

const keyOf = (kind: string, item: number, part: number): string => `${kind} ${item} ${part}`;

/** The part that a delta of text is for; null for every other event. */
export function deltaKey(type: string, event: WireEvent): string | null {
  if (!type.endsWith('.delta') || typeof event.delta !== 'string') return null;
  const stem = type.slice(0, -'.delta'.length);
  const row = own(DELTAS, stem);
  return row === undefined ? null : keyOf(row[0], placeOf(event.output_index), placeOf(event[row[1]]));
}

/** A part as a whole, as an event or the response itself shows it. */
export type Snapshot = { readonly key: string; readonly text: string };

/** All whole parts that an event shows. */
export function snapshotsOf(type: string, event: WireEvent): readonly Snapshot[] {
  const item = placeOf(event.output_index);
  if (type === 'response.output_item.done') return ofItem(event.item, item);
  if (isObject<WireResponse>(event.response) && Array.isArray(event.response.output)) {
    return event.response.output.flatMap(ofItem);
  }
  const stem = type.endsWith('.done') ? type.slice(0, -'.done'.length) : '';
  const row = own(DELTAS, stem);
  if (row === undefined) return [];
  const place = placeOf(event[row[1]]);
  if (event.part !== undefined) return ofPart(event.part, item, place);
  const text = row[0] === 'refusal' ? event.refusal : event.text;
  return typeof text === 'string' ? [{ key: keyOf(row[0], item, place), text }] : [];
}

function ofItem(item: unknown, place: number): readonly Snapshot[] {
  if (!isObject<WireItem>(item)) return [];
  return [item.content, item.summary].flatMap((parts) =>
    Array.isArray(parts) ? parts.flatMap((part, at) => ofPart(part, place, at)) : [],
  );
}

function ofPart(part: unknown, item: number, place: number): readonly Snapshot[] {
  if (!isObject<WirePart>(part)) return [];
  const kind = nonEmpty(part.type) ?? '';
  const text = kind === 'refusal' ? part.refusal : part.text;
  return typeof text === 'string' ? [{ key: keyOf(kind, item, place), text }] : [];
}
