import type { Outcome } from '../../core/failure/outcome.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Candidate } from '../../core/routing/plan.ts';
import { type Blame, collect } from './blame.ts';
import { indexRun, millis, type RequestCase, type RunIndex } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isEligible, isUnable, planAgain } from './plan-again.ts';

/** (l) */
export const toldClients: Invariant = {
  id: 'l',
  promise: 'the wait that a client is told is true, if nothing else happens, and no longer than it must be',
  check: (run) =>
    collect('l', (blame) => {
      const index = indexRun(run);
      for (const each of index.cases) checkCase(index, each, blame);
    }),
};

/** Behind these the same request fails at this target however long one waits. */
const USELESS: ReadonlySet<Outcome> = new Set([
  'context_length',
  'payload_too_large',
  'unsupported_capability',
  'incompatible_history',
  'bad_request',
  'content_policy',
]);

const SECOND = 1000;
const JITTER = 0.1;
/** Told where a place may be free any moment. */
const SOON_MS = SECOND;

function checkCase({ run }: RunIndex, each: RequestCase, blame: Blame): void {
  const { id, view, ended, endedHealth } = each;
  const { retryAfterMs } = view;
  if (retryAfterMs === null || ended === null || endedHealth === null) return;
  const told = `told to wait for ${millis(retryAfterMs)}`;
  if (view.shouldRetry === false && !isQuota(each)) blame(id, `${told}, and not to come back`);
  if (retryAfterMs % SECOND !== 0 || retryAfterMs <= 0) blame(id, `${told}, which are no whole seconds`);
  if (retryAfterMs > run.config.server.maxRetryAfterMs) blame(id, `${told}, which is beyond the most`);
  if (isOfGateway(each)) return;
  const usable = usableRoutes(each, endedHealth, ended.at);
  const isSoon = retryAfterMs === SOON_MS && usable.some(mayServe);
  const later = usableRoutes(each, endedHealth, ended.at + retryAfterMs);
  if (!isSoon && !later.some(mayServe)) blame(id, `${told}, and nothing can serve then`);
  checkSoonest(each, usable, ended.at, blame);
}

/** The gateway itself is full or leaves: that says nothing of routes. */
function isOfGateway({ ended, attempts }: RequestCase): boolean {
  if (ended?.component !== 'gateway') return false;
  return (
    ended.outcome === 'abandoned' || ended.reason === 'draining' || attempts.at(-1)?.send?.behaviour.refuses === 'local'
  );
}

/** Where a quota is spent both may be said: when it is back, and that trying before is no use. */
const isQuota = ({ ended, view }: RequestCase): boolean =>
  ended?.outcome === 'quota_exhausted' || ended?.outcome === 'billing' || view.error?.code === 'insufficient_quota';

/** Routes that could serve this request at some time, as they are at this moment. */
function usableRoutes(each: RequestCase, health: HealthState, at: number): readonly Candidate[] {
  const failed = new Set(
    each.attempts.flatMap(({ ended, started }) =>
      ended !== null && USELESS.has(ended.outcome) ? [started.target] : [],
    ),
  );
  return planAgain(each, health, at).filter((candidate) => !isUnable(candidate) && !failed.has(candidate.route.target));
}

/** A trial that is under way then has ended, or it has not: that is something that happens. */
const mayServe = (candidate: Candidate): boolean =>
  isEligible(candidate) || candidate.availability.state === 'half_open';

/** With every route held until a known moment, the first of these counts, and a tenth of it at most comes on top. */
function checkSoonest({ id, view }: RequestCase, usable: readonly Candidate[], now: number, blame: Blame): void {
  const { retryAfterMs } = view;
  if (retryAfterMs === null || retryAfterMs === SOON_MS || usable.length === 0) return;
  let soonest = Number.POSITIVE_INFINITY;
  for (const candidate of usable) {
    const { until, state, told } = candidate.availability;
    if (isEligible(candidate)) return;
    const isKnown = until !== null && (told || state === 'open' || state === 'half_open');
    if (isKnown) soonest = Math.min(soonest, until);
  }
  if (!Number.isFinite(soonest)) {
    blame(id, `told to wait for ${millis(retryAfterMs)}, and nobody has named a time`);
    return;
  }
  const most = Math.max(SECOND, Math.ceil(((soonest - now) * (1 + JITTER)) / SECOND) * SECOND);
  if (retryAfterMs > most)
    blame(id, `told to wait for ${millis(retryAfterMs)}, and ${millis(soonest - now)} are enough`);
}
