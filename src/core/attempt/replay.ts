import type { ModelSettings } from '../model/settings.ts';
import type { AttemptRecord } from './ledger.ts';

/**
 * Whether a request may be sent once more after this attempt. A refusal did nothing, and what never left the gateway
 * did nothing either. Anything else has an unknown outcome, which matters only to requests that run something outside.
 */
export function mayReplay(
  attempt: AttemptRecord,
  effects: readonly string[],
  replay: ModelSettings['replay'],
): boolean {
  if (replay === 'always' || attempt.phase === 'connecting') return true;
  if (attempt.failure?.refusal === true) return true;
  return replay === 'auto' && effects.length === 0;
}
