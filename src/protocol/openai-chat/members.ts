import type { Extensions } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isObject } from './types.ts';

/** Numbers that a double can't hold are objects of their own (`parseExact`). */
const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (value: unknown) => boolean };

export const isJsonObject = (value: unknown): value is JsonObject => isObject(value) && !isRawJSON(value);

/** A number, or one with more digits than a double has. */
export const isExactNumber = (value: unknown): value is number => typeof value === 'number' || isRawJSON(value);

/** The members that are left without those. Null is no value, and `undefined` none that was there. */
export const without = (object: object, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== undefined && !names.includes(name)));

/** What the canonical model has no word for, as the member `extensions`, or nothing. */
export const extensionsOf = (rest: JsonObject): { readonly extensions?: Extensions } =>
  Object.keys(rest).length === 0 ? {} : { extensions: { 'openai-chat': rest } };

/** Names of what a prompt said and a body does not. */
export type Dropped = Set<string>;

/**
 * An object as it goes out: what was written, completed by what stood in it when it was read. Members of other protocols
 * are dropped.
 */
export function withOwn(written: JsonObject, extensions: Extensions | undefined, dropped: Dropped): JsonObject {
  let own: JsonObject = {};
  for (const [protocol, members] of Object.entries(extensions ?? {})) {
    if (protocol === 'openai-chat') own = members;
    else for (const name of Object.keys(members)) dropped.add(name);
  }
  return complete(written, own);
}

/** Objects are completed at every level; whatever else is written in both stays as it was written. */
function complete(written: JsonObject, own: JsonObject): JsonObject {
  const members = new Map<string, JsonValue>(Object.entries(written));
  for (const [name, value] of Object.entries(own)) {
    const present = members.get(name);
    if (present === undefined) members.set(name, value);
    else if (isJsonObject(present) && isJsonObject(value)) members.set(name, complete(present, value));
  }
  return Object.fromEntries(members);
}
