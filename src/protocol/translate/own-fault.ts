import type { CanonicalEvent } from '../../core/model/event.ts';
import { describeFault, faultWords } from '../../core/redact/index.ts';

/** What was thrown while a good answer was put into the client's protocol: nothing that its provider did. */
export const ownFault = (thrown: unknown): CanonicalEvent => ({
  type: 'own_fault',
  words: faultWords(thrown),
  at: describeFault(thrown).at,
});
