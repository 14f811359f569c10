import type { ProviderError } from '../../core/failure/signal.ts';
import { errorOf, isFilled, looksLikeError } from '../shared/wire-error.ts';
import type { WireChunk } from './types.ts';

/** The error that a chunk or an answer of a 2xx holds. */
export function errorIn(value: WireChunk): ProviderError | null {
  if (isFilled(value.error)) return errorOf(value);
  const isAnswer = value.candidates !== undefined || value.promptFeedback !== undefined;
  return !isAnswer && looksLikeError(value as Readonly<Record<string, unknown>>) ? errorOf(value) : null;
}
