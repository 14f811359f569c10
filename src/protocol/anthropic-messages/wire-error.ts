import type { ProviderError } from '../../core/failure/signal.ts';
import { errorOf, isFilled, looksLikeError } from '../shared/wire-error.ts';
import { EVENT_TYPES, type WireEvent } from './types.ts';

/** The error that an event or an answer of a 2xx holds. */
export function errorIn(value: WireEvent): ProviderError | null {
  if (isFilled(value.error) || value.type === 'error') return errorOf(value);
  const isKnown = typeof value.type === 'string' && (EVENT_TYPES.has(value.type) || value.type === 'message');
  return !isKnown && looksLikeError(value) ? errorOf(value) : null;
}
