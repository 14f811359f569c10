import { innermostError } from '../../core/failure/innermost.ts';
import type { ProviderError } from '../../core/failure/signal.ts';
import { isObject, nonEmpty, type WireChoice, type WireChunk } from './types.ts';

const NO_WORDS: ProviderError = { status: null, code: null, type: null, param: null, message: '' };

/** Longer texts are pages, not messages. */
const MAX_TEXT = 2000;

/** The error that an object of a 2xx answer holds: beside choices, in a choice, or in place of an answer. */
export function errorIn(value: WireChunk): ProviderError | null {
  if (isFilled(value.error)) return errorOf(value);
  if (Array.isArray(value.choices)) {
    const choice = value.choices.find((item) => isObject<WireChoice>(item) && isFilled(item.error));
    return choice === undefined ? null : errorOf(choice);
  }
  return looksLikeError(value) ? errorOf(value) : null;
}

const isFilled = (error: unknown): boolean => isObject(error) || Array.isArray(error) || nonEmpty(error) !== null;

function looksLikeError(value: WireChunk): boolean {
  if (value.object === 'error' || value.type === 'error' || isFilled(value.errors)) return true;
  if (isFilled(value.detail)) return true;
  return nonEmpty(value.message) !== null && (value.code != null || value.status != null || value.type != null);
}

/** What is known of something that must be an error. */
export function errorOf(value: unknown, status: number | null = null): ProviderError {
  return (
    innermostError(value, status) ?? { ...NO_WORDS, status, message: typeof value === 'string' ? clip(value) : '' }
  );
}

/** From text that says that something failed and is no JSON. */
export const errorFromText = (text: string, status: number | null = null): ProviderError => ({
  ...NO_WORDS,
  status,
  message: clip(text),
});

const clip = (text: string): string => text.trim().slice(0, MAX_TEXT);

/** `undefined` for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
