import type { AttemptRecord, Fact, RequestLedger } from './ledger.ts';

/** `violation` names the law that a fact would have broken; the ledger is then as it was. */
export type Recorded = { readonly ledger: RequestLedger | null; readonly violation: string | null };

type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>;

/**
 * Folds one fact into a request's ledger. Total and idempotent: a fact that is there already changes nothing, a fact
 * that breaks a law (failover.md, section 9) is refused and named, and nothing is ever overwritten.
 */
export function recordFact(ledger: RequestLedger | null, fact: Fact): Recorded {
  if (fact.type === 'request_started') return recordStart(ledger, fact);
  if (ledger === null || ledger.id !== fact.request)
    return { ledger, violation: `${fact.type} of a request that has not started` };
  if (fact.type === 'request_ended') return recordEnd(ledger, fact);
  if (fact.type === 'attempt_started') return recordAttempt(ledger, fact);
  const attempt = ledger.attempts[fact.n - 1];
  if (attempt === undefined) return { ledger, violation: `${fact.type} of attempt ${fact.n}, which has not started` };
  const changed = CHANGES[fact.type](ledger, attempt, fact as never);
  if (changed === 'known') return { ledger, violation: null };
  if (typeof changed === 'string') return { ledger, violation: changed };
  const attempts = ledger.attempts.with(fact.n - 1, changed);
  const committed = fact.type === 'committed' ? fact.n : ledger.committed;
  return { ledger: { ...ledger, attempts, committed }, violation: null };
}

function recordStart(ledger: RequestLedger | null, fact: FactOf<'request_started'>): Recorded {
  if (ledger === null) {
    const plans = fact.plan === null ? [] : [{ attempt: null, plan: fact.plan }];
    return {
      ledger: { id: fact.request, started: fact, attempts: [], committed: null, ended: null, plans },
      violation: null,
    };
  }
  const known = ledger.id === fact.request && ledger.started.at === fact.at;
  return { ledger, violation: known ? null : `second start of ${fact.request}` };
}

function recordAttempt(ledger: RequestLedger, fact: FactOf<'attempt_started'>): Recorded {
  const known = ledger.attempts[fact.n - 1];
  if (known !== undefined) {
    const same = known.startedAt === fact.at && known.route === fact.route;
    return { ledger, violation: same ? null : `second start of attempt ${fact.n}` };
  }
  if (fact.n !== ledger.attempts.length + 1)
    return { ledger, violation: `attempt ${fact.n} behind attempt ${ledger.attempts.length}` };
  if (ledger.committed !== null) return { ledger, violation: `attempt ${fact.n} started after the commit` };
  if (ledger.ended !== null) return { ledger, violation: `attempt ${fact.n} started after the end of the request` };
  const { request: _request, at, type: _type, plan, ...rest } = fact;
  const attempt: AttemptRecord = {
    ...rest,
    startedAt: at,
    headAt: null,
    status: null,
    committedAt: null,
    endedAt: null,
    outcome: null,
    phase: 'connecting',
    failure: null,
    reason: null,
    usage: null,
    cooldownUntil: null,
  };
  const plans = plan === null ? ledger.plans : [...ledger.plans, { attempt: fact.n, plan }];
  return { ledger: { ...ledger, attempts: [...ledger.attempts, attempt], plans }, violation: null };
}

function recordEnd(ledger: RequestLedger, fact: FactOf<'request_ended'>): Recorded {
  if (ledger.ended !== null) {
    const known = ledger.ended.at === fact.at && ledger.ended.outcome === fact.outcome;
    return {
      ledger,
      violation: known ? null : `second end of the request: ${fact.outcome} after ${ledger.ended.outcome}`,
    };
  }
  const open = ledger.attempts.find((attempt) => attempt.outcome === null);
  if (open !== undefined) return { ledger, violation: `the request ended while attempt ${open.n} had no end` };
  return { ledger: { ...ledger, ended: fact }, violation: null };
}

type Change<T extends Fact['type']> = (
  ledger: RequestLedger,
  attempt: AttemptRecord,
  fact: FactOf<T>,
) => AttemptRecord | string;

/** What each fact does to its attempt: the new record, `known`, or the law that it breaks. */
const CHANGES: { readonly [T in 'head' | 'committed' | 'attempt_ended']: Change<T> } = {
  head(_ledger, attempt, fact) {
    if (attempt.headAt !== null) return attempt.headAt === fact.at ? 'known' : `second head of attempt ${fact.n}`;
    if (attempt.outcome !== null) return `head of attempt ${fact.n} after its end`;
    return { ...attempt, headAt: fact.at, status: fact.status, phase: 'preflight' };
  },
  committed(ledger, attempt, fact) {
    if (ledger.committed === fact.n)
      return attempt.committedAt === fact.at ? 'known' : `second commit of attempt ${fact.n}`;
    if (ledger.committed !== null) return `attempt ${fact.n} committed after attempt ${ledger.committed}`;
    if (attempt.outcome !== null) return `commit of attempt ${fact.n} after its end`;
    return { ...attempt, committedAt: fact.at, phase: 'streaming' };
  },
  attempt_ended(_ledger, attempt, fact) {
    if (attempt.outcome !== null) {
      const known = attempt.endedAt === fact.at && attempt.outcome === fact.outcome;
      return known ? 'known' : `second end of attempt ${fact.n}: ${fact.outcome} after ${attempt.outcome}`;
    }
    const { outcome, phase, failure, reason, usage, cooldownUntil, answer } = fact;
    const told = answer === undefined ? {} : { answer };
    return { ...attempt, endedAt: fact.at, outcome, phase, failure, reason, usage, cooldownUntil, ...told };
  },
};
