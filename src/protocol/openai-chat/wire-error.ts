import type { ProviderError } from '../../core/failure/signal.ts';
import { errorOf, isFilled, looksLikeError } from '../shared/wire-error.ts';
import { isObject, type WireChoice, type WireChunk } from './types.ts';

/** The error that an object of a 2xx answer holds: beside choices, in a choice, or in place of an answer. */
export function errorIn(value: WireChunk): ProviderError | null {
  if (isFilled(value.error)) return errorOf(value);
  if (Array.isArray(value.choices)) {
    const choice = value.choices.find((item) => isObject<WireChoice>(item) && isFilled(item.error));
    return choice === undefined ? null : errorOf(choice);
  }
  return looksLikeError(value) ? errorOf(value) : null;
}
