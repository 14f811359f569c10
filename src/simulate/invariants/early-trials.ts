import { providerOf } from '../../core/attempt/pick.ts';
import { failedAt } from '../../core/health/availability-of.ts';
import { scopeOf } from '../../core/health/scope.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Candidate } from '../../core/routing/plan.ts';
import type { Blame } from './blame.ts';
import { type AnyCase, type AttemptCase, choiceHealths, HAIR_MS, type RequestCase } from './index-run.ts';
import { isEligible, isUnable, planAgain } from './plan-again.ts';
import { attemptsOf, type ScopeBooks } from './ramp.ts';
import { slackMs } from './slack.ts';

/**
 * Before its time a circuit opens for a request that has nothing else, it is the one that failed longest ago, and nobody
 * is under way in another one.
 */
export function checkEarly(books: ScopeBooks, each: RequestCase, attempt: AttemptCase, blame: Blame): void {
  const { n, send } = attempt;
  if (send === null || isExcused(books, each, attempt)) return;
  const { route } = send;
  if (n > 1) {
    blame(each.id, `attempt ${n} goes into the open circuit of ${route.id}`);
    return;
  }
  for (const blamed of sureOnes(books, each, attempt, route))
    blame(each.id, `the circuit of ${route.id} opens early, ${blamed}`);
}

/** A probe opens nothing early, whatever else could serve. */
export function checkEarlyProbe(books: ScopeBooks, each: AnyCase, attempt: AttemptCase, blame: Blame): void {
  if (!isExcused(books, each, attempt))
    blame(each.id, `a probe goes into the open circuit of ${attempt.started.route} before its time`);
}

/** It is a free repeat of one that nobody got, or it may have waited since it was chosen. */
function isExcused({ index }: ScopeBooks, { attempts }: AnyCase, { started, n }: AttemptCase): boolean {
  const before = attempts[n - 2] ?? null;
  if (before?.ended?.outcome === 'stale_socket' && before.started.route === started.route) return true;
  return slackMs(index.run, providerOf(started.route)) > 0;
}

/** What is wrong with an early trial by all that is known of health around its choice. */
function sureOnes(books: ScopeBooks, each: RequestCase, attempt: AttemptCase, route: Route): readonly string[] {
  const [first = [], ...others] = choiceHealths(each, attempt).map((health) =>
    wrongsOf(books, planAgain(each, health, attempt.started.at), { route, health, at: attempt.started.at }),
  );
  return first.filter((wrong) => others.every((wrongs) => wrongs.includes(wrong)));
}

type Early = { readonly route: Route; readonly health: HealthState; readonly at: number };

function wrongsOf(
  books: ScopeBooks,
  candidates: readonly Candidate[],
  { route, health, at }: Early,
): readonly string[] {
  const { run } = books.index;
  const failed = failedAt(health, route) ?? 0;
  return candidates.flatMap((other) => {
    if (other.route.id === route.id) return [];
    if (isEligible(other) && slackMs(run, other.route.provider) === 0) return [`though ${other.route.id} can serve`];
    if (isUnable(other)) return [];
    if (isUnderTrial(books, other.route, health, at)) return [`and ${other.route.id} is under trial`];
    const isOlder = (failedAt(health, other.route) ?? 0) < failed - HAIR_MS;
    return other.availability.state === 'open' && isOlder ? [`and that of ${other.route.id} failed longer ago`] : [];
  });
}

/** Somebody is on the way in its open circuit, and nothing of an answer has come. */
function isUnderTrial(books: ScopeBooks, route: Route, health: HealthState, at: number): boolean {
  return openScopes(health, route).some(({ kind, since }) =>
    attemptsOf(books, kind, kind === 'route' ? route.id : route.endpoint).some(
      ({ chosenAt, started, committed, ended }) =>
        chosenAt > since + HAIR_MS &&
        started.at < at - HAIR_MS &&
        (committed === null || committed.at > at + HAIR_MS) &&
        (ended === null || ended.at > at + HAIR_MS),
    ),
  );
}

const openScopes = (health: HealthState, route: Route) =>
  (['route', 'endpoint'] as const).flatMap((kind) => {
    const { open } = scopeOf(health, kind, route).circuit;
    return open === null ? [] : [{ kind, since: open.since }];
  });

/** A request that was refused at once with all circuits open was the second one there, at least. */
export function checkEarlyMissed(books: ScopeBooks, each: RequestCase, blame: Blame): void {
  const { id, attempts, request, ended } = each;
  const [start] = request.facts;
  if (ended === null || start === undefined || attempts.length > 0 || ended.at > request.at + HAIR_MS) return;
  if (request.client.isClosed || ended.component === 'gateway' || ended.component === 'deadline') return;
  const candidates = planAgain(each, start.health, request.at);
  const able = candidates.filter((each) => !isUnable(each) && each.availability.state !== 'disabled');
  if (candidates.some(isEligible) || !able.some(({ availability }) => availability.state === 'open')) return;
  if (able.some(({ route }) => slackMs(books.index.run, route.provider) > 0 || isTouched(books, route, request.at)))
    return;
  blame(id, 'it is refused with all circuits open, and none opens early for it');
}

/** Somebody is under way there, or was at this very moment; or its provider has a limit of its own. */
function isTouched(books: ScopeBooks, route: Route, at: number): boolean {
  const { config } = books.index.run;
  if (config.providers.get(route.provider)?.limits.concurrency != null) return true;
  return attemptsOf(books, 'endpoint', route.endpoint).some(
    ({ started, ended }) => started.at <= at + HAIR_MS && (ended === null || ended.at >= at - HAIR_MS),
  );
}
