import { hideEcho } from '../redact/index.ts';
import type { Failure } from './failure.ts';
import { hasPhrase, normaliseMessage } from './phrase.ts';
import { CONTEXT_WORDS } from './words/index.ts';

/**
 * Takes out of a failure's reason what it repeats of the request (`whole`, as `foldWords` makes it). Clients act on the
 * words that tell of a full context and may have such words in their history: where these would go too, the reason stays.
 */
export function hideQuoted(failure: Failure, whole: string): Failure {
  const hidden = hideEcho(failure.reason, whole);
  const isLost = failure.outcome === 'context_length' && tellsOfContext(failure.reason) && !tellsOfContext(hidden);
  return isLost ? failure : { ...failure, reason: hidden };
}

const tellsOfContext = (reason: string): boolean => hasPhrase(normaliseMessage(reason), CONTEXT_WORDS);
