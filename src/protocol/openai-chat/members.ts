import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { type Dropped, type Extended, extendedBy, foreignNames } from '../shared/extensions.ts';
import { isJsonObject } from '../shared/json-object.ts';

const PROTOCOL = 'openai-chat';

export const extended = (rest: JsonObject): Extended => extendedBy(PROTOCOL, rest);

/** Names what other protocols have left with something, and this one can't say. */
export function dropForeign(of: Extended, dropped: Dropped): void {
  for (const name of foreignNames(of, PROTOCOL)) dropped.add(name);
}

/**
 * An object as it goes out: what was written, completed by what stood in it when it was read. Members of other protocols
 * are dropped.
 */
export function withExtensions(written: JsonObject, of: Extended, dropped: Dropped): JsonObject {
  dropForeign(of, dropped);
  return complete(written, of.extensions?.[PROTOCOL] ?? {});
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
