import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { type Extended, extendedBy } from '../shared/extensions.ts';
import { isJsonObject } from '../shared/json-object.ts';

const spelt = (name: string): string => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * The members of an object of the protocol, as they are spelt in its documentation: Google's readers know `inline_data`
 * for `inlineData`, too. For objects of the protocol only, never for what clients put into them.
 */
export function camel(value: unknown): JsonObject {
  if (!isJsonObject(value)) return {};
  const names = Object.keys(value);
  if (!names.some((name) => name.includes('_'))) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const right = spelt(name);
      return right !== name && Object.hasOwn(value, right) ? [] : [[right, member]];
    }),
  );
}

/** A list; a single object stands for a list of one. */
export const asList = (value: unknown): readonly JsonValue[] => {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  return isJsonObject(value) ? [value] : [];
};

export const extended = (rest: JsonObject): Extended => extendedBy('gemini', rest);
