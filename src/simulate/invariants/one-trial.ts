import type { OpenCircuit } from '../../core/health/circuit.ts';
import { scopeOf } from '../../core/health/scope.ts';
import { type Blame, collect } from './blame.ts';
import { checkEarly, checkEarlyMissed, checkEarlyProbe } from './early-trials.ts';
import { type AnyCase, type AttemptCase, HAIR_MS, indexRun, type RunIndex } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { attemptsOf, CLAIM_LIMIT_MS, checkHolders, checkRamps, LADDER, type ScopeBooks } from './ramp.ts';

/** (i) */
export const oneTrial: Invariant = {
  id: 'i',
  promise: 'an open circuit lets nobody in but its trials: one, then two, four and eight at a time',
  check: (run) =>
    collect('i', (blame) => {
      const index = indexRun(run);
      const books = { index, byEndpoint: groupByEndpoint(index) };
      for (const each of index.cases) {
        for (const attempt of each.attempts) {
          if (checkAttempt(books, each, attempt, blame)) checkEarly(books, each, attempt, blame);
        }
        checkHolders(books, each, blame);
        checkEarlyMissed(books, each, blame);
      }
      for (const each of index.probes) {
        for (const attempt of each.attempts) {
          if (checkAttempt(books, each, attempt, blame)) checkEarlyProbe(books, each, attempt, blame);
        }
      }
      checkRamps(books, blame);
    }),
};

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

/** Whether it goes into an open circuit before its time. */
function checkAttempt(books: ScopeBooks, each: AnyCase, attempt: AttemptCase, blame: Blame): boolean {
  const route = attempt.send?.route;
  if (route === undefined) return false;
  // What opened at the very moment of the choice, or behind it, was not there to be seen.
  const chosenAt = attempt.chosenAt - HAIR_MS;
  const [ofRoute = null, ofEndpoint = null] = (['route', 'endpoint'] as const).map((kind) => {
    const { open } = scopeOf(attempt.startedHealth, kind, route).circuit;
    return open !== null && open.since < chosenAt ? open : null;
  });
  if (ofRoute !== null) checkCount(each, attempt, ofRoute, attemptsOf(books, 'route', route.id), route.id, blame);
  if (ofEndpoint !== null)
    checkCount(each, attempt, ofEndpoint, attemptsOf(books, 'endpoint', route.endpoint), route.endpoint, blame);
  return [ofRoute, ofEndpoint].some(
    (open) => open !== null && open.rung === 0 && attempt.started.at < open.until - HAIR_MS,
  );
}

/** Those under way with it, that began behind the opening. */
function checkCount(
  { id }: AnyCase,
  attempt: AttemptCase,
  open: OpenCircuit,
  neighbours: readonly AttemptCase[],
  scope: string,
  blame: Blame,
): void {
  const { at } = attempt.started;
  const most = LADDER[open.rung] ?? LADDER.at(-1) ?? 1;
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
