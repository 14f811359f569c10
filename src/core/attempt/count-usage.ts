import { resultOf } from '../failure/result-of.ts';
import type { AttemptRecord, RequestKind, RequestLedger } from './ledger.ts';
import { addUsage, NO_USAGE, type UsageSum, usageOf } from './usage-sum.ts';

/** What usage may be told apart by. `day` is one of UTC. */
export type UsageDimension = 'model' | 'target' | 'key' | 'day' | 'kind';

/** Requests and attempts of one kind by the dimensions that were asked for. */
export type UsageGroup = {
  /** By dimension; null: it has none (no key, no target, no model). */
  readonly by: { readonly [D in UsageDimension]?: string | null };
  readonly requests: number;
  /** Requests that have ended without an answer; those that their client left, and those that nobody can judge, apart. */
  readonly failed: number;
  readonly attempts: number;
  readonly failedAttempts: number;
  /** Of the attempts that were delivered. */
  readonly delivered: UsageSum;
  /** Of all of them: what was paid for. */
  readonly all: UsageSum;
};

type CountedAttempt = Pick<AttemptRecord, 'n' | 'target' | 'outcome' | 'usage'>;

/** What is looked at of a record: a store need not read more of it. */
export type CountedRequest = Pick<RequestLedger, 'committed'> & {
  readonly started: Pick<RequestLedger['started'], 'at' | 'model' | 'key'> & { readonly kind?: RequestKind };
  readonly attempts: readonly CountedAttempt[];
  readonly ended: Pick<NonNullable<RequestLedger['ended']>, 'outcome'> | null;
};

/**
 * Counts records by dimensions: those of some kinds, or of all where none are named. With `target`, a request counts once
 * for each target that it was sent to.
 */
export function countUsage(
  requests: Iterable<CountedRequest>,
  by: readonly UsageDimension[],
  kinds?: readonly RequestKind[],
): readonly UsageGroup[] {
  const groups = new Map<string, UsageGroup>();
  for (const request of requests) {
    if (kinds !== undefined && !kinds.includes(request.started.kind ?? 'answer')) continue;
    addAll(groups, by.includes('target') ? byTarget(request, by) : [whole(request, by)]);
  }
  return [...groups.values()];
}

/** Several counts as one. Associative. */
export function addUsageGroups(counts: readonly (readonly UsageGroup[])[]): readonly UsageGroup[] {
  const groups = new Map<string, UsageGroup>();
  for (const count of counts) addAll(groups, count);
  return [...groups.values()];
}

function addAll(groups: Map<string, UsageGroup>, more: readonly UsageGroup[]): void {
  for (const group of more) {
    const key = JSON.stringify(group.by);
    const known = groups.get(key);
    groups.set(key, known === undefined ? group : addGroups(known, group));
  }
}

const addGroups = (one: UsageGroup, other: UsageGroup): UsageGroup => ({
  by: one.by,
  requests: one.requests + other.requests,
  failed: one.failed + other.failed,
  attempts: one.attempts + other.attempts,
  failedAttempts: one.failedAttempts + other.failedAttempts,
  delivered: addUsage(one.delivered, other.delivered),
  all: addUsage(one.all, other.all),
});

function byTarget(request: CountedRequest, by: readonly UsageDimension[]): readonly UsageGroup[] {
  const targets = new Set(request.attempts.map(({ target }) => target));
  if (targets.size === 0) return [whole(request, by)];
  return [...targets].map((target) => {
    const attempts = request.attempts.filter((attempt) => attempt.target === target);
    return group(request, attempts, by, target);
  });
}

const whole = (request: CountedRequest, by: readonly UsageDimension[]): UsageGroup =>
  group(request, request.attempts, by, null);

function group(
  { started, committed, ended }: CountedRequest,
  attempts: readonly CountedAttempt[],
  by: readonly UsageDimension[],
  target: string | null,
): UsageGroup {
  const values: { readonly [D in UsageDimension]: () => string | null } = {
    model: () => (started.model === '' ? null : started.model),
    target: () => target,
    key: () => started.key,
    day: () => new Date(started.at).toISOString().slice(0, 'YYYY-MM-DD'.length),
    kind: () => started.kind ?? 'answer',
  };
  const ends = attempts.filter(({ outcome }) => outcome !== null);
  const sum = (some: readonly CountedAttempt[]): UsageSum =>
    some.reduce((total, { usage }) => addUsage(total, usageOf(usage)), NO_USAGE);
  return {
    by: Object.fromEntries(by.map((dimension) => [dimension, values[dimension]()])),
    requests: 1,
    failed: ended !== null && resultOf(ended.outcome) === 'failed' ? 1 : 0,
    attempts: attempts.length,
    failedAttempts: ends.filter(({ outcome }) => outcome !== null && resultOf(outcome) === 'failed').length,
    delivered: sum(ends.filter(({ n }) => n === committed)),
    all: sum(ends),
  };
}
