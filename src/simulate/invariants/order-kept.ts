import { BACKOFF } from '../../core/attempt/backoff.ts';
import { providerOf } from '../../core/attempt/pick.ts';
import type { Onward } from '../../core/failure/failure.ts';
import { isAttemptTimeout } from '../../core/failure/outcome.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Candidate } from '../../core/routing/plan.ts';
import { type Blame, collect } from './blame.ts';
import { hadNoClaims, wasFull } from './crowds.ts';
import { type AttemptCase, HAIR_MS, indexRun, millis, type RequestCase, type RunIndex, TICK_MS } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isEligible, planAgain } from './plan-again.ts';
import { checkProbeOrder } from './probe-order.ts';
import { checkReplays } from './replays.ts';
import { slackMs } from './slack.ts';
import { checkTiers } from './tiers-kept.ts';

/** (e) */
export const orderKept: Invariant = {
  id: 'e',
  promise:
    'attempts stay within their budget, every route that could serve comes before a second send to any, and what may have been done is not done twice',
  check: (run) =>
    collect('e', (blame) => {
      const index = indexRun(run);
      for (const each of index.cases) {
        checkBudget(each, blame);
        checkRounds(index, each, blame);
        checkReplays(each, blame);
        for (const attempt of each.attempts) checkTiers(index, each, attempt, blame);
      }
      checkProbeOrder(index, blame);
    }),
};

/** What is sent again at no charge was never received. */
function isStaleReplay(before: AttemptCase | null, { started }: AttemptCase): boolean {
  const send = before?.send;
  if (before?.ended?.outcome !== 'stale_socket' || send == null || before.started.route !== started.route) return false;
  return send.behaviour.reused === true && send.headAt === null;
}

function checkBudget({ id, request, model, attempts }: RequestCase, blame: Blame): void {
  let charged = 0;
  for (const [place, attempt] of attempts.entries()) {
    const isFree = isStaleReplay(attempts[place - 1] ?? null, attempt);
    if (!isFree) charged += 1;
    if (isFree === attempt.started.charged) {
      blame(id, `attempt ${attempt.n} ${isFree ? 'is charged, though nobody got the one before' : 'is not charged'}`);
    }
  }
  const most = request.ask.failover ? (model?.settings.retry.maxAttempts ?? charged) : 1;
  if (charged > most) blame(id, `${charged} attempts, and ${most} are the most`);
}

function checkRounds(index: RunIndex, each: RequestCase, blame: Blame): void {
  const tried = new Set<string>();
  for (const [place, attempt] of each.attempts.entries()) {
    const { route } = attempt.started;
    const before = each.attempts[place - 1] ?? null;
    const gapMs = attempt.started.at - (before?.ended?.at ?? each.request.at);
    if (gapMs > HAIR_MS && isNewRound(index, each, tried, { before, attempt })) tried.clear();
    if (tried.has(route)) {
      const isRepeat = before !== null && before.started.route === route;
      const why = isRepeat ? judgeRepeat(index, each, before, attempt) : 'not at once';
      if (why !== null) blame(each.id, `attempt ${attempt.n} is a second one to ${route}: ${why}`);
    }
    tried.add(route);
  }
}

/**
 * A wait begins a new one: where nothing was left to ask, when it began or since others closed what was left while it
 * lasted, or for the sake of a target that stands earlier.
 */
function isNewRound(
  index: RunIndex,
  each: RequestCase,
  tried: ReadonlySet<string>,
  { before, attempt }: { readonly before: AttemptCase | null; readonly attempt: AttemptCase },
): boolean {
  const retry = each.model?.settings.retry;
  if (retry === undefined || retry.waitForCooldownMs === 0) return false;
  if (retry.preferSameTarget || before?.ended == null) return true;
  const health = healthBehind(each, before);
  if (health === null || untried(index, each, tried, health, before.ended.at).length === 0) return true;
  return untried(index, each, tried, attempt.startedHealth, attempt.started.at).length === 0;
}

/** As an attempt's end left it. */
const healthBehind = ({ request }: RequestCase, { n }: AttemptCase): HealthState | null =>
  request.facts.find(({ fact }) => fact.type === 'attempt_ended' && fact.n === n)?.health ?? null;

/** Refusals of something that is then left out, once each. */
const LEFT_OUT: ReadonlySet<Onward> = new Set([
  'same_without_state',
  'same_without_stream_options',
  'same_without_parts',
]);

/** Why a repeat of the same route at once is none that may be; null: it may. */
function judgeRepeat(index: RunIndex, each: RequestCase, before: AttemptCase, attempt: AttemptCase): string | null {
  const failure = before.ended?.failure ?? null;
  if (isStaleReplay(before, attempt)) return null;
  if (failure === null) return 'nothing failed before it';
  if (LEFT_OUT.has(failure.onward)) return judgeLeftOut(each, before, failure.onward);
  if (isAttemptTimeout(failure.outcome)) return 'a silent target is not repeated';
  if (!failure.again) return `${failure.outcome} is not repeated`;
  return judgeAllowance(index, each, before, attempt) ?? judgePause(index, each, before, attempt);
}

function judgeLeftOut({ attempts }: RequestCase, before: AttemptCase, onward: Onward): string | null {
  const isError = before.send?.truth === null || (before.send?.behaviour.fault?.kind ?? null) === 'error';
  if (!isError) return 'nothing was refused';
  const earlier = attempts.filter(
    ({ n, started, ended }) =>
      n < before.n && started.route === before.started.route && ended?.failure?.onward === onward,
  );
  if (onward !== 'same_without_parts') return earlier.length === 0 ? null : 'the same was left out before';
  const known = new Set(earlier.flatMap(({ ended }) => ended?.failure?.refusedParts ?? []));
  const isNews = before.ended?.failure?.refusedParts?.some((part) => !known.has(part)) === true;
  return isNews ? null : 'the same was left out before';
}

/** `retry.sameTarget`: so many, or one where nobody else is left. */
function judgeAllowance(index: RunIndex, each: RequestCase, before: AttemptCase, attempt: AttemptCase): string | null {
  const { sameTarget } = each.model?.settings.retry ?? { sameTarget: 0 };
  const { route } = attempt.started;
  const ordinary = each.attempts.filter(
    ({ n, started, ended }) =>
      n <= before.n && started.route === route && started.charged && !LEFT_OUT.has(ended?.failure?.onward ?? 'stop'),
  );
  const repeats = ordinary.length;
  if (sameTarget !== 'auto') return repeats > sameTarget ? `repeat ${repeats} of ${sameTarget}` : null;
  if (repeats > 1) return `repeat ${repeats} of one`;
  const tried = new Set(each.attempts.filter(({ n }) => n <= before.n).map(({ started }) => started.route));
  const health = healthBehind(each, before) ?? attempt.startedHealth;
  const then = untried(index, each, tried, health, before.ended?.at ?? attempt.started.at);
  // What comes back during the pause may do so at its very last moment.
  const [other] = untried(index, each, tried, attempt.startedHealth, attempt.started.at).filter(({ route }) =>
    then.some((earlier) => earlier.route.id === route.id),
  );
  return other === undefined ? null : `${other.route.id} could be asked`;
}

/**
 * A told delay is the floor of the pause, and the cap of the backoff (or what the model may wait) its ceiling, but for whoever
 * found no place elsewhere first.
 */
function judgePause(index: RunIndex, { model }: RequestCase, before: AttemptCase, attempt: AttemptCase): string | null {
  const pauseMs = attempt.started.at - (before.ended?.at ?? attempt.started.at);
  const toldMs = before.ended?.failure?.toldDelayMs ?? 0;
  if (pauseMs < toldMs - HAIR_MS) return `${millis(pauseMs)} behind a delay of ${millis(toldMs)}`;
  const until = attempt.started.at;
  if (model?.targets.some(({ id }) => wasFull(index, providerOf(id), until - pauseMs, until)) === true) return null;
  const waitMs = slackMs(index.run, providerOf(attempt.started.route)) + TICK_MS;
  const mostMs = Math.max(BACKOFF.capMs, model?.settings.retry.waitForCooldownMs ?? 0) + waitMs;
  return pauseMs > mostMs ? `a pause of ${millis(pauseMs)}` : null;
}

/**
 * Routes that could surely be asked and were not: those of a target that failed by its model or host are passed over, and
 * what a failure said of size or feature may rule any out.
 */
function untried(
  index: RunIndex,
  each: RequestCase,
  tried: ReadonlySet<string>,
  health: HealthState,
  at: number,
): readonly Candidate[] {
  const touched = new Set(each.attempts.map(({ started }) => started.target));
  const isRuledOut = each.attempts.some(({ ended }) => {
    const onward = ended?.failure?.onward;
    return onward === 'next_larger_window' || onward === 'next_capable' || onward === 'same_without_state';
  });
  if (isRuledOut) return [];
  const from = each.request.at;
  return planAgain(each, health, at).filter(
    (candidate) =>
      isEligible(candidate) &&
      !tried.has(candidate.route.id) &&
      !touched.has(candidate.route.target) &&
      !wasFull(index, candidate.route.provider, from, at) &&
      !(candidate.use !== 'serve' && hadNoClaims(index.run, from, at)),
  );
}
