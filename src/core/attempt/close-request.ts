import type { Fact, RequestLedger } from './ledger.ts';
import { recordFact } from './record-fact.ts';

/**
 * Ends what nobody else will end any more, as `abandoned`: open attempts first, then the request. What has an end keeps
 * it. `at` is the last sign of life of who worked on it; nothing ends before it began.
 */
export function closeRequest(ledger: RequestLedger, at: number, reason: string): RequestLedger {
  if (ledger.ended !== null) return ledger;
  const endsAt = Math.max(at, latestAt(ledger));
  const committed = ledger.committed === null ? undefined : ledger.attempts[ledger.committed - 1];
  const ends: Fact[] = ledger.attempts
    .filter((attempt) => attempt.outcome === null)
    .map(({ n, phase }) => ({
      type: 'attempt_ended',
      request: ledger.id,
      at: endsAt,
      n,
      outcome: 'abandoned',
      phase,
      failure: null,
      reason,
      usage: null,
      cooldownUntil: null,
    }));
  ends.push({
    type: 'request_ended',
    request: ledger.id,
    at: endsAt,
    outcome: 'abandoned',
    status: null,
    component: 'gateway',
    reason,
    servedBy: committed?.target ?? null,
    edits: [],
    skipped: [],
    rejected: false,
  });
  return ends.reduce((before, fact) => recordFact(before, fact).ledger ?? before, ledger);
}

/** The latest moment that the record knows of. */
function latestAt({ started, attempts }: RequestLedger): number {
  const times = attempts.flatMap((a) => [a.startedAt, a.headAt, a.committedAt, a.endedAt]);
  return times.reduce<number>((latest, time) => Math.max(latest, time ?? 0), started.at);
}
