import { PLACES } from '../../core/routing/assess-route.ts';
import type { Candidate } from '../../core/routing/plan.ts';
import type { Blame } from './blame.ts';
import { wasFull } from './crowds.ts';
import { type AttemptCase, choiceHealths, HAIR_MS, type RequestCase, type RunIndex } from './index-run.ts';
import { planAgain } from './plan-again.ts';

/**
 * Tiers are hard, and within one what is ready comes before what is slow, and that before what comes back from a hold.
 * What was waited for stands before all.
 */
export function checkTiers(index: RunIndex, each: RequestCase, attempt: AttemptCase, blame: Blame): void {
  const { attempts, request, model } = each;
  const { started, n } = attempt;
  const before = attempts[n - 2] ?? null;
  const isRepeat = before !== null && before.started.route === started.route;
  const hasWaited = started.at - (before?.ended?.at ?? request.at) > HAIR_MS;
  if ((model?.targets.length ?? 0) < 2 || isRepeat || hasWaited || isRuledOut(each, n)) return;
  const [other] = inEach(choiceHealths(each, attempt), (health) =>
    routesAhead(index, each, attempt, planAgain(each, health, started.at)),
  );
  if (other !== undefined) blame(each.id, `attempt ${n} goes to ${started.route}, and ${other} stands before it`);
}

/** What all lists have in common; none is made once nothing is left. */
function inEach<T>(keys: readonly T[], listOf: (key: T) => readonly string[]): readonly string[] {
  const [first, ...others] = keys;
  let common = first === undefined ? [] : listOf(first);
  for (const key of others) {
    if (common.length === 0) break;
    const list = listOf(key);
    common = common.filter((each) => list.includes(each));
  }
  return common;
}

/** A failure of this request said something of what others can do. */
const isRuledOut = ({ attempts }: RequestCase, n: number): boolean =>
  attempts.some(({ n: earlier, ended }) => {
    const onward = ended?.failure?.onward;
    return earlier < n && (onward === 'next_larger_window' || onward === 'next_capable');
  });

/** How ready a route is, by its word alone; null: out, or a trial, which may be taken. */
function placeOf({ use, availability }: Candidate): number | null {
  if (use === 'last_resort') return PLACES.length;
  if (use !== 'serve') return null;
  if (availability.state === 'slow') return PLACES.indexOf('slow');
  return PLACES.indexOf(availability.state === 'deferred' ? 'passed' : 'ready');
}

/**
 * Ids of routes that stand before the one that was taken, and that nothing speaks against: no earlier failure of their
 * target, no dead host, no limit of the provider.
 */
function routesAhead(
  index: RunIndex,
  { attempts, request }: RequestCase,
  { started, n }: AttemptCase,
  candidates: readonly Candidate[],
): readonly string[] {
  const chosen = candidates.find(({ route }) => route.id === started.route);
  const place = chosen === undefined ? null : placeOf(chosen);
  if (chosen === undefined) return [];
  const earlier = attempts.filter((other) => other.n < n);
  const touched = new Set(earlier.map((other) => other.started.target));
  const dead = new Set(
    earlier.filter(({ ended }) => ended?.outcome === 'connect_error').map((e) => e.started.endpoint),
  );
  const isAhead = (other: Candidate): boolean => {
    const otherPlace = placeOf(other);
    if (otherPlace === null || otherPlace === PLACES.length || other.route.target === chosen.route.target) return false;
    if (place === PLACES.length || other.target.tier < chosen.target.tier) return true;
    return other.target.tier === chosen.target.tier && place !== null && otherPlace < place;
  };
  return candidates
    .filter((other) => isAhead(other) && !touched.has(other.route.target) && !dead.has(other.route.endpoint))
    .filter((other) => !wasFull(index, other.route.provider, request.at, started.at))
    .map(({ route }) => route.id);
}
