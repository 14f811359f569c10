import type { RequestView } from '../management/contract.ts';

/** Words of the record that say little by themselves: what they mean, for people. */
const MEANINGS: Readonly<Record<string, string>> = {
  draining: 'the gateway was shutting down',
  internal_error: 'of a fault of the gateway: its log has more',
  max_attempts: 'it had as many attempts as retry.maxAttempts allows',
  timeout_commit: 'all attempts and waits together took timeouts.commit, and there was no output',
  timeout_total: 'it took timeouts.total, or what x-understudy-timeout said',
  skipped_cooldown: 'nobody could be asked then: on hold',
  skipped_circuit: 'nobody could be asked then: circuits were open',
  skipped_capability: 'no target can do what it needs',
  skipped_state: 'the state of the conversation lies with a target that could not be asked',
  skipped_disabled: 'every target was switched off by an operator',
  skipped_busy: 'every target had as many requests as limits.concurrency allows',
  untranslated: 'the gateway itself could not translate it then',
  outcome_unknown: 'it may have been done already, and is not safe to repeat',
};

const isCode = (reason: string): boolean => /^[a-z0-9_]+$/.test(reason);

/**
 * Why a request ended so, in words: a bare code, which mostly repeats the outcome, is what its last attempt of that kind
 * says. Null: nothing is to be said that stands nowhere else.
 */
export function tellReason({ reason, outcome, attempts }: RequestView): string | null {
  if (reason === null || outcome === 'ok') return null;
  if (!isCode(reason)) return reason;
  const last = attempts.findLast((attempt) => attempt.outcome === reason && attempt.reason !== null);
  if (last !== undefined) return `attempt ${last.n}, at ${last.target}, ended with: ${last.reason}`;
  if (attempts.length === 0 && !Object.hasOwn(MEANINGS, reason)) return 'nobody could be asked';
  const meaning = MEANINGS[reason];
  if (meaning !== undefined) return meaning;
  return reason === outcome ? null : reason.replaceAll('_', ' ');
}

/** Ends that were not the target's doing. */
const PLACES: Readonly<Record<string, string>> = {
  client_closed: ', while it was answered by ',
  interrupted: ', behind the first words of ',
  abandoned: ', while it was answered by ',
};

/** What stands between the outcome and the target that served, or had begun to. */
export const servedBy = ({ outcome }: RequestView): string => PLACES[outcome ?? ''] ?? ' by ';
