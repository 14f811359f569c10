import type { Extensions } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { isObject } from '../shared/value.ts';

const spelt = (name: string): string => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * The members of an object of the protocol, as they are spelt in its documentation: Google's readers know `inline_data`
 * for `inlineData`, too. For objects of the protocol only, never for what clients put into them.
 */
export function camel(value: unknown): JsonObject {
  if (!isObject<JsonObject>(value)) return {};
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
  return isObject<JsonObject>(value) ? [value] : [];
};

/** Members that the canonical model has no word for; nothing for none. */
export const extended = (rest: JsonObject): { readonly extensions?: Extensions } =>
  Object.keys(rest).length === 0 ? {} : { extensions: { gemini: rest } };

/** Members whose values are set. */
export const withoutUndefined = (members: Readonly<Record<string, JsonValue | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
