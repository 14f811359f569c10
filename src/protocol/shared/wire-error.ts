import { innermostError } from '../../core/failure/innermost.ts';
import type { ProviderError } from '../../core/failure/signal.ts';
import type { Headers } from '../../core/model/protocol.ts';
import { decodeUtf8 } from '../json/index.ts';
import { isObject, nonEmpty } from './value.ts';

const NO_WORDS: ProviderError = { status: null, code: null, type: null, param: null, message: '' };

/** Longer texts are pages, not messages. */
const MAX_MESSAGE = 2000;

/** Only the beginning of a text can hold its message. */
const MAX_TEXT = 64 * 1024;

/** Members by which an object without a known shape may turn out to be an error. */
type Suspect = {
  readonly object?: unknown;
  readonly type?: unknown;
  readonly errors?: unknown;
  readonly detail?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
};

/** Does the member `error` hold one? */
export const isFilled = (error: unknown): boolean =>
  isObject(error) || Array.isArray(error) || nonEmpty(error) !== null;

/** An object that is no answer of its protocol: does it speak like an error? */
export function looksLikeError(value: Suspect): boolean {
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

/**
 * A text that begins as JSON does, in an event or by itself: where it can't be read, it was cut, and what is left is no
 * sentence of anybody.
 */
const JSON_START = /^\s*(?:(?:event:[^\n]*\n\s*)?(?:data|error):\s*)?(?:\{\s*"|\[\s*(?:[{[]\s*)*")/;

/** From text that says that something failed and is no JSON; broken JSON has no words. */
export const errorFromText = (text: string, status: number | null = null): ProviderError => ({
  ...NO_WORDS,
  status,
  message: JSON_START.test(text) ? '' : clip(text),
});

const clip = (text: string): string => text.trim().slice(0, MAX_MESSAGE);

/** `undefined` for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The innermost error of an answer's body; null when it holds none (HTML, nothing, an answer). */
export function decodeError(status: number | null, headers: Headers, body: Uint8Array): ProviderError | null {
  const text = decodeUtf8(body).trim();
  const json = parseJson(text) ?? parseJson(firstData(text));
  if (json !== undefined && json !== null) {
    if (typeof json === 'string') return errorFromText(json, status);
    return innermostError(json, status);
  }
  const isHtml = text.startsWith('<') || (headers['content-type'] ?? '').includes('html');
  return isHtml || text === '' ? null : errorFromText(text.slice(0, MAX_TEXT), status);
}

/** An error that was sent as an event, though the status had said it all. */
function firstData(text: string): string {
  if (!/^(event|data|error|id|retry|:)/.test(text)) return '';
  return /^(?:data|error):\s*(\{.*)$/m.exec(text)?.[1] ?? '';
}
