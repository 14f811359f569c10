import type { Onward } from '../../core/failure/failure.ts';
import { scopeOf } from '../../core/health/scope.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Route } from '../../core/routing/candidate.ts';
import { type Blame, collect } from './blame.ts';
import { wasFull } from './crowds.ts';
import { type AttemptCase, choiceHealths, HAIR_MS, indexRun, type RequestCase, type RunIndex } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { planAgain } from './plan-again.ts';

/** (s) */
export const trialsFree: Invariant = {
  id: 's',
  promise: 'no client makes the trial of an open circuit that a probe may still make while another route is ready',
  check: (run) =>
    collect('s', (blame) => {
      if (run.probedUntil === null) return;
      const index = indexRun(run);
      for (const each of index.cases) for (const attempt of each.attempts) checkAttempt(index, each, attempt, blame);
    }),
};

function checkAttempt(index: RunIndex, each: RequestCase, attempt: AttemptCase, blame: Blame): void {
  const { started, n, send } = attempt;
  const before = each.attempts[n - 2] ?? null;
  // What was waited for stands before all, and a free repeat goes where it was.
  if (send === null || started.at - (before?.ended?.at ?? each.at) > HAIR_MS) return;
  if (before?.started.route === started.route || isRuledOut(each, n)) return;
  const healths = choiceHealths(each, attempt);
  if (!healths.every((health) => awaitsProbe(health, send.route, started.at))) return;
  const lists = healths.map((health) => readyOnes(index, each, attempt, health));
  const other = lists[0]?.find((id) => lists.every((list) => list.includes(id)));
  if (other !== undefined) blame(each.id, `attempt ${n} is the trial of ${started.route}, and ${other} is ready`);
}

/** A failure of this request said something of what others can do. */
const isRuledOut = ({ attempts }: RequestCase, n: number): boolean =>
  attempts.some(({ n: earlier, ended }) => earlier < n && RULES_OUT.has(ended?.failure?.onward ?? 'stop'));

const RULES_OUT: ReadonlySet<Onward> = new Set<Onward>(['next_larger_window', 'next_capable']);

/** Behind the end of its open time a circuit waits so long for a probe. */
const PROBE_GRACE_MS = 5000;

function awaitsProbe(health: HealthState, route: Route, at: number): boolean {
  return (['route', 'endpoint'] as const).some((kind) => {
    const { open } = scopeOf(health, kind, route).circuit;
    return open !== null && open.rung === 0 && open.until <= at && at < open.until + PROBE_GRACE_MS - HAIR_MS;
  });
}

/** Ready, untouched by this request, and with a place. */
function readyOnes(
  index: RunIndex,
  each: RequestCase,
  { started, n }: AttemptCase,
  health: HealthState,
): readonly string[] {
  const earlier = each.attempts.filter((other) => other.n < n);
  const touched = new Set(earlier.map((other) => other.started.target));
  const dead = new Set(
    earlier.filter(({ ended }) => ended?.outcome === 'connect_error').map((e) => e.started.endpoint),
  );
  return planAgain(each, health, started.at)
    .filter(
      ({ use, availability, route }) => use === 'serve' && availability.state === 'ready' && route.id !== started.route,
    )
    .filter(({ route }) => !touched.has(route.target) && !dead.has(route.endpoint))
    .filter(({ route }) => !wasFull(index, route.provider, each.at, started.at))
    .map(({ route }) => route.id);
}
