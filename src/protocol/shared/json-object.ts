import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { decodeUtf8, parseExact } from '../json/index.ts';
import { BOM_LENGTH, blockStart, createFrameSplitter, hasBom, readBlock } from '../sse/index.ts';
import { isObject } from './value.ts';

/** Numbers that a double can't hold are objects of their own (`parseExact`). */
const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (value: unknown) => boolean };

/** An object with members; a number that is kept as it was written is none. */
export const isJsonObject = (value: unknown): value is JsonObject => isObject(value) && !isRawJSON(value);

/** A number, or one with more digits than a double has. */
export const isExactNumber = (value: unknown): value is number => typeof value === 'number' || isRawJSON(value);

/** Null for a text that is no JSON object: an end mark, noise. Numbers stay as they were written (`parseExact`). */
export function parseObject(text: string): JsonObject | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value = parseExact(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The object that a JSON body is. */
export const readObject = (body: Uint8Array): JsonObject | null =>
  parseObject(decodeUtf8(hasBom(body, 0, body.length) ? body.subarray(BOM_LENGTH) : body));

/**
 * Reads whole frames of an event stream, of which a translated one may hold several. `take` is given the data of each, its
 * lines as one text (empty: it has none), and the name of its event.
 */
export function createFrameReader(take: (data: string, event: string) => void): (frames: Uint8Array) => void {
  const splitter = createFrameSplitter(Number.MAX_SAFE_INTEGER);
  return (frames) => {
    splitter.push(frames, (bytes, start, end) => {
      const { data, event } = readBlock(bytes, blockStart(bytes, start, end), end);
      take(data.map((span) => decodeUtf8(bytes.subarray(span.start, span.end))).join('\n'), event);
    });
  };
}

/** A list's elements; none for anything else. */
export const listOf = (value: unknown): readonly JsonValue[] => (Array.isArray(value) ? (value as JsonValue[]) : []);

/** An object's members; none for anything else. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The members that are left without those; `undefined` is none that was there. */
export const without = (object: object, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== undefined && !names.includes(name)));

/** The members that have a value; null is none. */
export const given = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => (entry[1] ?? null) !== null),
  );
