import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { parseExact, stringifyExact } from '../json/index.ts';
import { isJsonObject } from '../shared/json-object.ts';

/** The JSON text of a call's input; one that is text already is taken as it is. */
export function inputText(input: unknown): string {
  if (typeof input === 'string') return input.trim() === '' ? '{}' : input;
  return input === undefined || input === null ? '{}' : stringifyExact(input);
}

/**
 * A call's input has to be an object. What is none (broken JSON, a bare value) stands as a text in its only member,
 * `input`: the model sees what it wrote, and nothing is made up.
 */
export function inputObject(text: string): JsonObject {
  if (text.trim() === '') return {};
  const value = parsed(text);
  return isJsonObject(value) ? value : { input: text };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseExact(text) as JsonValue;
  } catch {
    return undefined;
  }
}
