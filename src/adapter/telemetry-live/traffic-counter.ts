import type { AttemptRecord, Fact, RequestLedger } from '../../core/attempt/ledger.ts';
import type { Outcome } from '../../core/failure/outcome.ts';
import { resultOf } from '../../core/failure/result-of.ts';
import type { RequestCounts, TargetCounts, Traffic, UnderWay } from '../../port/traffic.ts';

type Started = Extract<Fact, { type: 'request_started' }>;

export type TrafficCounter = Traffic & {
  attemptStarted(started: Started, attempt: AttemptRecord): void;
  attemptEnded(started: Started, attempt: AttemptRecord): void;
  requestEnded(request: RequestLedger): void;
};

/** What is counted together. */
const BUCKET_MS = 10_000;
const BUCKETS = 360;
/** A window above this many buckets is told in steps of a minute. */
const FINE_BUCKETS = 60;
const MINUTE_BUCKETS = 6;
/** More targets than anybody lists; the rest of a bucket is not told apart. */
const MAX_TARGETS = 500;
/** More than may be under way: one whose end is never told does not stay for ever. */
const MAX_UNDER_WAY = 50_000;
/** Requests under way that are listed. */
const MAX_LISTED = 100;

type Counts = { -readonly [K in keyof RequestCounts]: number };
type TargetCount = { attempts: number; failed: number; readonly outcomes: Map<Outcome, number> };
type Bucket = {
  /** Since the epoch, in buckets. */
  n: number;
  requests: Counts;
  unseen: number;
  readonly targets: Map<string, TargetCount>;
};

const noCounts = (): Counts => ({ total: 0, ok: 0, firstOk: 0, saved: 0, failed: 0, rejected: 0, left: 0 });

/** Counts what ended in the last hour, in steps of ten seconds, and knows what is under way. */
export function createTrafficCounter(now: () => number): TrafficCounter {
  const startedAt = now();
  const buckets: Bucket[] = Array.from({ length: BUCKETS }, () => ({
    n: -1,
    requests: noCounts(),
    unseen: 0,
    targets: new Map(),
  }));
  /** By id, in the order of their first attempts. */
  const underWay = new Map<string, { readonly started: Started; attempt: AttemptRecord }>();

  const bucketAt = (at: number): Bucket => {
    const n = Math.floor(at / BUCKET_MS);
    const bucket = buckets[n % BUCKETS] as Bucket;
    // A clock that was late by an hour would count into a bucket of now: nobody waits that long.
    if (bucket.n !== n) {
      bucket.n = n;
      bucket.requests = noCounts();
      bucket.unseen = 0;
      bucket.targets.clear();
    }
    return bucket;
  };

  return {
    maxWindowMs: BUCKET_MS * BUCKETS,
    attemptStarted(started, attempt) {
      if (!isClients(started)) return;
      const known = underWay.get(started.request);
      if (known === undefined) underWay.set(started.request, { started, attempt });
      else known.attempt = attempt;
      if (underWay.size > MAX_UNDER_WAY) underWay.delete(underWay.keys().next().value ?? '');
    },
    attemptEnded(started, attempt) {
      if (isClients(started)) countAttempt(bucketAt(now()).targets, attempt);
    },
    requestEnded(request) {
      underWay.delete(request.id);
      if (isClients(request.started)) countRequest(bucketAt(now()), request);
    },
    read(windowMs) {
      const at = now();
      const newest = Math.floor(at / BUCKET_MS);
      const wide = Math.min(BUCKETS, Math.max(1, Math.ceil(windowMs / BUCKET_MS)));
      const first = newest - wide + 1;
      const counted = buckets.filter(({ n }) => n >= first && n <= newest).sort((one, other) => one.n - other.n);
      const targets = sumTargets(counted);
      const step = wide > FINE_BUCKETS ? MINUTE_BUCKETS : 1;
      return {
        since: Math.max(startedAt, first * BUCKET_MS),
        at,
        stepMs: step * BUCKET_MS,
        requests: sumCounts(counted.map(({ requests }) => requests)),
        attempts: {
          total: targets.reduce((sum, { attempts }) => sum + attempts, 0),
          failed: targets.reduce((sum, { failed }) => sum + failed, 0),
        },
        unseenFailures: counted.reduce((sum, { unseen }) => sum + unseen, 0),
        series: drawSeries(counted, { first, newest, step }),
        targets,
        underWay: { count: underWay.size, newest: [...underWay.values()].slice(-MAX_LISTED).reverse().map(viewLive) },
      };
    },
  };
}

/** Of clients, for an answer: of others nothing is counted, neither their attempts nor their targets. */
const isClients = ({ kind }: Started): boolean => kind === undefined || kind === 'answer' || kind === 'compact';

const viewLive = ({ started, attempt }: { readonly started: Started; readonly attempt: AttemptRecord }): UnderWay => ({
  id: started.request,
  model: started.model,
  protocol: started.protocol,
  stream: started.stream,
  key: started.key,
  startedAt: started.at,
  attempts: attempt.n,
  target: attempt.target,
});

const failedAttempts = ({ attempts }: RequestLedger): number => {
  let failed = 0;
  for (const { outcome } of attempts) if (outcome !== null && resultOf(outcome) === 'failed') failed += 1;
  return failed;
};

function countRequest(bucket: Bucket, request: RequestLedger): void {
  const { ended, attempts } = request;
  const counts = bucket.requests;
  counts.total += 1;
  if (ended === null) return;
  const result = resultOf(ended.outcome);
  if (ended.rejected) counts.rejected += 1;
  else if (result === 'failed') counts.failed += 1;
  else if (result === null) counts.left += 1;
  else {
    counts.ok += 1;
    const failed = attempts.length > 1 ? failedAttempts(request) : 0;
    bucket.unseen += failed;
    if (failed > 0) counts.saved += 1;
    else counts.firstOk += 1;
  }
}

function countAttempt(targets: Map<string, TargetCount>, { target, outcome }: AttemptRecord): void {
  let count = targets.get(target);
  if (count === undefined) {
    if (targets.size >= MAX_TARGETS) return;
    count = { attempts: 0, failed: 0, outcomes: new Map() };
    targets.set(target, count);
  }
  count.attempts += 1;
  if (outcome === null || resultOf(outcome) !== 'failed') return;
  count.failed += 1;
  count.outcomes.set(outcome, (count.outcomes.get(outcome) ?? 0) + 1);
}

function sumCounts(some: readonly RequestCounts[]): RequestCounts {
  const sum = noCounts();
  for (const counts of some) {
    for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += counts[key];
  }
  return sum;
}

/** Those with the most failures first. */
function sumTargets(buckets: readonly Bucket[]): readonly TargetCounts[] {
  const sums = new Map<string, TargetCount>();
  for (const { targets } of buckets) {
    for (const [target, { attempts, failed, outcomes }] of targets) {
      const sum = sums.get(target) ?? { attempts: 0, failed: 0, outcomes: new Map<Outcome, number>() };
      sums.set(target, sum);
      sum.attempts += attempts;
      sum.failed += failed;
      for (const [outcome, count] of outcomes) sum.outcomes.set(outcome, (sum.outcomes.get(outcome) ?? 0) + count);
    }
  }
  return [...sums]
    .map(([target, sum]) => ({ target, ...sum }))
    .sort((one, other) => other.failed - one.failed || other.attempts - one.attempts)
    .slice(0, MAX_TARGETS);
}

/** A step for each stretch of the window, whether anything happened in it or not. */
function drawSeries(
  buckets: readonly Bucket[],
  { first, newest, step }: { readonly first: number; readonly newest: number; readonly step: number },
): readonly (RequestCounts & { readonly at: number })[] {
  const from = Math.floor(first / step) * step;
  const steps = Math.floor((newest - from) / step) + 1;
  return Array.from({ length: steps }, (_, i) => {
    const start = from + i * step;
    const inside = buckets.filter(({ n }) => n >= start && n < start + step);
    return { at: start * BUCKET_MS, ...sumCounts(inside.map(({ requests }) => requests)) };
  });
}
