import { availability } from '../../core/health/availability-of.ts';
import type { Run } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { HAIR_MS, indexRun, millis, type ProbeCase, type RunIndex } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { hasOther, isSent, kindOf, provedMoments } from './probes.ts';

/** (q) */
export const probedOnce: Invariant = {
  id: 'q',
  promise:
    'no route is probed without need: once in a round, once for each thing that put it out, and not while it is proved',
  check: (run) =>
    collect('q', (blame) => {
      const index = indexRun(run);
      const { probes } = index;
      checkRecoveries(
        run,
        probes.filter((each) => kindOf(run, each) === 'recovery'),
        blame,
      );
      for (const place of run.rounds.keys())
        checkRound(
          index,
          probes.filter(({ probe }) => probe.round === place),
          blame,
        );
      if (probes.length > 0) checkProved(index, blame);
    }),
};

function checkRecoveries(run: Run, recoveries: readonly ProbeCase[], blame: Blame): void {
  const asked = new Set<string>();
  for (const each of recoveries) {
    const { at, route, health } = each.probe;
    const { state, scope, since, cause } = availability(health, route, at);
    if (state === 'ready') blame(each.id, `${route.id} is asked whether it is back, and nothing stands against it`);
    if (state === 'deferred' && cause === 'rate_limited' && !hasOther(run, health, route, at))
      blame(each.id, `${route.id} was limited, and what is left of it goes to a probe`);
    if (!isSent(each)) continue;
    const name = `${route.id} ${scope} ${since}`;
    if (asked.has(name)) blame(each.id, `${route.id} is asked twice for one opening`);
    asked.add(name);
  }
}

function checkRound({ run }: RunIndex, own: readonly ProbeCase[], blame: Blame): void {
  const first = new Map<string, ProbeCase>();
  const repeated = new Set<string>();
  for (const each of own) {
    const { id } = each.probe.route;
    const kind = kindOf(run, each);
    const before = first.get(id);
    if (kind === 'first') {
      if (before !== undefined) blame(each.id, `${id} is asked a second time in a round`);
      first.set(id, each);
    }
    if (kind !== 'repeat') continue;
    if (repeated.has(id)) blame(each.id, `${id} has a second repeat in a round`);
    if (before === undefined || before.probe.hasOutput || !isSent(before))
      blame(each.id, `${id} is asked for more, and has not fallen short of text`);
    repeated.add(id);
  }
}

/** What traffic has shown within `every` is not asked. */
function checkProved(index: RunIndex, blame: Blame): void {
  const { run, probes } = index;
  const { everyMs } = run.config.readiness.probe;
  const proved = provedMoments(index);
  for (const each of probes) {
    if (kindOf(run, each) !== 'first') continue;
    const { at, route, health } = each.probe;
    if (availability(health, route, at).state !== 'ready') continue;
    const last = proved.get(route.id)?.findLast((moment) => moment < at - HAIR_MS);
    if (last !== undefined && last > at - everyMs + HAIR_MS)
      blame(each.id, `${route.id} is asked, and has answered ${millis(at - last)} before`);
  }
}
