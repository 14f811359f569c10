import { failedAt } from '../../core/health/availability-of.ts';
import { type OpenCircuit, RAMP } from '../../core/health/circuit.ts';
import { scopeOf } from '../../core/health/scope.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Candidate } from '../../core/routing/plan.ts';
import { type Blame, collect } from './blame.ts';
import { type AttemptCase, choiceHealths, HAIR_MS, indexRun, type RequestCase, type RunIndex } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isEligible, isUnable, planAgain } from './plan-again.ts';
import { slackMs } from './slack.ts';

/** (i) */
export const oneTrial: Invariant = {
  id: 'i',
  promise: 'an open circuit lets nobody in but its trials: one, then two, four and eight at a time',
  check: (run) =>
    collect('i', (blame) => {
      const index = indexRun(run);
      const byEndpoint = groupByEndpoint(index);
      for (const each of index.cases) {
        for (const attempt of each.attempts) checkAttempt({ index, byEndpoint }, each, attempt, blame);
      }
    }),
};

type Books = { readonly index: RunIndex; readonly byEndpoint: ReadonlyMap<string, readonly AttemptCase[]> };

function groupByEndpoint({ byRoute }: RunIndex): ReadonlyMap<string, readonly AttemptCase[]> {
  const groups = new Map<string, AttemptCase[]>();
  for (const attempts of byRoute.values()) {
    const endpoint = attempts[0]?.started.endpoint ?? '';
    const group = groups.get(endpoint);
    if (group === undefined) groups.set(endpoint, [...attempts]);
    else for (const attempt of attempts) group.push(attempt);
  }
  for (const group of groups.values()) group.sort((a, b) => a.started.at - b.started.at);
  return groups;
}

/** A claim that nobody settles is lost behind this. */
const CLAIM_LIMIT_MS = 15 * 60_000;

function checkAttempt({ index, byEndpoint }: Books, each: RequestCase, attempt: AttemptCase, blame: Blame): void {
  const route = attempt.send?.route;
  if (route === undefined) return;
  // What opened at the very moment of the choice, or behind it, was not there to be seen.
  const chosenAt = attempt.chosenAt - HAIR_MS;
  const [ofRoute = null, ofEndpoint = null] = (['route', 'endpoint'] as const).map((kind) => {
    const { open } = scopeOf(attempt.startedHealth, kind, route).circuit;
    return open !== null && open.since < chosenAt ? open : null;
  });
  if (ofRoute !== null) checkCount(each, attempt, ofRoute, index.byRoute.get(route.id) ?? [], route.id, blame);
  if (ofEndpoint !== null)
    checkCount(each, attempt, ofEndpoint, byEndpoint.get(route.endpoint) ?? [], route.endpoint, blame);
  const isEarly = [ofRoute, ofEndpoint].some(
    (open) => open !== null && open.rung === 0 && attempt.started.at < open.until - HAIR_MS,
  );
  if (isEarly) checkEarly(index, each, attempt, route, blame);
}

/** Those under way with it, that began behind the opening. */
function checkCount(
  { id }: RequestCase,
  attempt: AttemptCase,
  open: OpenCircuit,
  neighbours: readonly AttemptCase[],
  scope: string,
  blame: Blame,
): void {
  const { at } = attempt.started;
  const most = RAMP[open.rung] ?? RAMP[RAMP.length - 1] ?? 1;
  let count = 1;
  for (let i = firstFrom(neighbours, open.since); i < neighbours.length; i++) {
    const other = neighbours[i];
    if (other === undefined || other.started.at > at) break;
    if (other !== attempt && other.chosenAt > open.since && isBeside(other, attempt)) count += 1;
  }
  if (count > most)
    blame(id, `attempt ${attempt.n} is number ${count} in the open circuit of ${scope}, which takes ${most}`);
}

function isBeside(other: AttemptCase, attempt: AttemptCase): boolean {
  const { at } = attempt.started;
  const since = other.committed?.at ?? other.started.at;
  const isBefore = other.started.at < at || (other.send?.n ?? 0) < (attempt.send?.n ?? 0);
  return isBefore && (other.ended === null || other.ended.at > at) && at - since < CLAIM_LIMIT_MS;
}

/** The first that began strictly behind the opening: of the same moment nobody knows the order. */
function firstFrom(attempts: readonly AttemptCase[], since: number): number {
  let low = 0;
  let high = attempts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((attempts[middle]?.started.at ?? 0) <= since) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Before its time a circuit opens for a request that has nothing else, and it is the one that failed longest ago. */
function checkEarly(index: RunIndex, each: RequestCase, attempt: AttemptCase, route: Route, blame: Blame): void {
  const { started, n } = attempt;
  const before = each.attempts[n - 2] ?? null;
  if (before?.ended?.outcome === 'stale_socket' && before.started.route === started.route) return;
  if (slackMs(index.run, route.provider) > 0) return;
  if (n > 1) {
    blame(each.id, `attempt ${n} goes into the open circuit of ${route.id}`);
    return;
  }
  for (const blamed of sureOnes(index, each, attempt, route))
    blame(each.id, `the circuit of ${route.id} opens early, ${blamed}`);
}

/** What is wrong with an early trial by all that is known of health around its choice. */
function sureOnes(index: RunIndex, each: RequestCase, attempt: AttemptCase, route: Route): readonly string[] {
  const [first = [], ...others] = choiceHealths(each, attempt).map((health) =>
    wrongsOf(index, planAgain(each, health, attempt.started.at), route, health),
  );
  return first.filter((wrong) => others.every((wrongs) => wrongs.includes(wrong)));
}

function wrongsOf(
  { run }: RunIndex,
  candidates: readonly Candidate[],
  route: Route,
  health: HealthState,
): readonly string[] {
  const failed = failedAt(health, route) ?? 0;
  return candidates.flatMap((other) => {
    if (other.route.id === route.id) return [];
    if (isEligible(other) && slackMs(run, other.route.provider) === 0) return [`though ${other.route.id} can serve`];
    const isOlder = (failedAt(health, other.route) ?? 0) < failed - HAIR_MS;
    const isWaiting = other.availability.state === 'open' && !isUnable(other);
    return isWaiting && isOlder ? [`and that of ${other.route.id} failed longer ago`] : [];
  });
}
