import type { AttemptRecord, Owner, RequestLedger } from './ledger.ts';
import { addUsage, NO_USAGE, type UsageSum, usageOf } from './usage-sum.ts';

/** Laws of the ledger that a record may break. */
export const BREACH_LAWS = [
  'attempt_missing',
  'attempt_without_end',
  'request_without_end',
  'second_commit',
  'commit_unknown',
  'attempt_after_commit',
  'rejected_with_attempts',
  'served_by_other',
] as const;

export type BreachLaw = (typeof BREACH_LAWS)[number];

export type Breach = { readonly request: string; readonly attempt: number | null; readonly law: BreachLaw };

/** What the conservation check found. Everything is a count that can be added to another one. */
export type Reconciliation = {
  readonly requests: {
    readonly total: number;
    /** Under way, and their owner lives. */
    readonly open: number;
    readonly ended: number;
    readonly rejected: number;
    readonly abandoned: number;
  };
  readonly attempts: {
    readonly total: number;
    readonly open: number;
    readonly ended: number;
    readonly committed: number;
    readonly abandoned: number;
  };
  readonly usage: {
    /** Of the attempts that were delivered: what requests are said to have used. */
    readonly delivered: UsageSum;
    /** Of all attempts: what was paid for. */
    readonly all: UsageSum;
  };
  readonly breachCount: number;
  /** The first of them. */
  readonly breaches: readonly Breach[];
};

/** Most breaches that are named. */
export const MAX_BREACHES = 1_000;

export const EMPTY_RECONCILIATION: Reconciliation = {
  requests: { total: 0, open: 0, ended: 0, rejected: 0, abandoned: 0 },
  attempts: { total: 0, open: 0, ended: 0, committed: 0, abandoned: 0 },
  usage: { delivered: NO_USAGE, all: NO_USAGE },
  breachCount: 0,
  breaches: [],
};

type CheckedAttempt = Pick<AttemptRecord, 'n' | 'target' | 'committedAt' | 'outcome' | 'usage'>;
type Ended = NonNullable<RequestLedger['ended']>;

/** What the laws look at in a record: a store need not read more of it. */
export type CheckedRequest = Pick<RequestLedger, 'id' | 'committed'> & {
  readonly started: Pick<RequestLedger['started'], 'owner'>;
  readonly attempts: readonly CheckedAttempt[];
  readonly ended: Pick<Ended, 'outcome' | 'rejected' | 'servedBy'> | null;
};

/**
 * Checks records against the laws of the ledger (failover.md, section 9) and counts them. `isAlive` tells whether an
 * owner may still bring the end of what it began; what a dead one left open is a breach.
 */
export function reconcileRequests(
  ledgers: Iterable<CheckedRequest>,
  isAlive: (owner: Owner) => boolean,
): Reconciliation {
  let sum = EMPTY_RECONCILIATION;
  for (const ledger of ledgers) sum = addReconciliations(sum, reconcileRequest(ledger, isAlive));
  return sum;
}

function reconcileRequest(ledger: CheckedRequest, isAlive: (owner: Owner) => boolean): Reconciliation {
  const { attempts, ended } = ledger;
  const breaches = findBreaches(ledger, isAlive(ledger.started.owner));
  const count = (test: (attempt: CheckedAttempt) => boolean): number => attempts.filter(test).length;
  const ends = attempts.filter((attempt) => attempt.outcome !== null);
  return {
    requests: {
      total: 1,
      open: ended === null ? 1 : 0,
      ended: ended === null ? 0 : 1,
      rejected: ended?.rejected === true ? 1 : 0,
      abandoned: ended?.outcome === 'abandoned' ? 1 : 0,
    },
    attempts: {
      total: attempts.length,
      open: attempts.length - ends.length,
      ended: ends.length,
      committed: count((attempt) => attempt.committedAt !== null),
      abandoned: count((attempt) => attempt.outcome === 'abandoned'),
    },
    usage: {
      delivered: sumUsage(ends.filter((attempt) => attempt.n === ledger.committed)),
      all: sumUsage(ends),
    },
    breachCount: breaches.length,
    breaches,
  };
}

function findBreaches({ id, attempts, committed, ended }: CheckedRequest, lives: boolean): Breach[] {
  const breaches: Breach[] = [];
  const tell = (law: BreachLaw, attempt: number | null = null): void => {
    breaches.push({ request: id, attempt, law });
  };
  attempts.forEach((attempt, index) => {
    if (attempt.n !== index + 1) tell('attempt_missing', index + 1);
    if (attempt.outcome === null && (ended !== null || !lives)) tell('attempt_without_end', attempt.n);
    if (attempt.committedAt !== null && attempt.n !== committed) tell('second_commit', attempt.n);
    if (committed !== null && attempt.n > committed) tell('attempt_after_commit', attempt.n);
  });
  const bound = committed === null ? undefined : attempts.find(({ n }) => n === committed);
  if (committed !== null && bound?.committedAt == null) tell('commit_unknown', committed);
  if (ended === null && !lives) tell('request_without_end');
  if (ended?.rejected === true && attempts.length > 0) tell('rejected_with_attempts');
  if (ended !== null && ended.servedBy !== null && bound !== undefined && ended.servedBy !== bound.target) {
    tell('served_by_other', bound.n);
  }
  return breaches;
}

/** Two checks as one. Associative, with `EMPTY_RECONCILIATION` as nothing. */
export function addReconciliations(one: Reconciliation, other: Reconciliation): Reconciliation {
  const room = MAX_BREACHES - one.breaches.length;
  return {
    requests: addCounts(one.requests, other.requests),
    attempts: addCounts(one.attempts, other.attempts),
    usage: {
      delivered: addUsage(one.usage.delivered, other.usage.delivered),
      all: addUsage(one.usage.all, other.usage.all),
    },
    breachCount: one.breachCount + other.breachCount,
    breaches:
      room > 0 && other.breaches.length > 0 ? [...one.breaches, ...other.breaches.slice(0, room)] : one.breaches,
  };
}

function addCounts<T extends Readonly<Record<string, number>>>(one: T, other: T): T {
  const sum: Record<string, number> = { ...one };
  for (const key of Object.keys(sum)) sum[key] = (one[key] ?? 0) + (other[key] ?? 0);
  return sum as T;
}

function sumUsage(attempts: readonly CheckedAttempt[]): UsageSum {
  return attempts.reduce((sum, { usage }) => addUsage(sum, usageOf(usage)), NO_USAGE);
}
