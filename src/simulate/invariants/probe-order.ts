import { availability } from '../../core/health/availability-of.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Blame } from './blame.ts';
import { HAIR_MS, type ProbeCase, type RunIndex } from './index-run.ts';
import { accountOf, isUnderway, kindOf, provedMoments } from './probes.ts';

type Listed = { readonly route: Route; readonly tier: number };

/** Tiers are hard for rounds, too: with one credential, what is in a lower tier and may be asked is asked first. */
export function checkProbeOrder(index: RunIndex, blame: Blame): void {
  const { run, probes } = index;
  if (run.rounds.length === 0) return;
  const proved = provedMoments(index);
  for (const [place, { models }] of run.rounds.entries()) {
    const [name = '', ...others] = models;
    // A route of several models stands in several tiers.
    if (others.length > 0) continue;
    const listed = listRoutes(index, name);
    const own = probes.filter((each) => each.probe.round === place && kindOf(run, each) === 'first');
    for (const [n, each] of own.entries()) {
      const tier = listed.find(({ route }) => route.id === each.probe.route.id)?.tier ?? 0;
      if (wasLimited(own.slice(0, n), each)) continue;
      const other = listed.find(
        (one) => one.tier < tier && isLeft(index, one.route, { each, before: own.slice(0, n), proved }),
      );
      if (other !== undefined)
        blame(each.id, `${each.probe.route.id} is asked before ${other.route.id}, of a lower tier`);
    }
  }
}

const listRoutes = ({ run }: RunIndex, model: string): readonly Listed[] =>
  (run.config.models.get(model)?.targets ?? []).flatMap(({ routes, tier }) => routes.map((route) => ({ route, tier })));

/** Behind limits a credential waits. */
const wasLimited = (before: readonly ProbeCase[], each: ProbeCase): boolean =>
  before.some(
    (other) => accountOf(other) === accountOf(each) && other.attempts.some(({ ended }) => ended?.failure != null),
  );

type Moment = {
  readonly each: ProbeCase;
  readonly before: readonly ProbeCase[];
  readonly proved: ReadonlyMap<string, readonly number[]>;
};

/** Of the same credential, ready for all that is known, and neither asked nor proved by now. */
function isLeft({ run, probes }: RunIndex, route: Route, { each, before, proved }: Moment): boolean {
  const { at, health } = each.probe;
  if (`${route.provider}/${route.credential}` !== accountOf(each)) return false;
  if (before.some(({ probe }) => probe.route.id === route.id)) return false;
  if (probes.some((other) => other.probe.route.id === route.id && isUnderway(other, at))) return false;
  if (availability(health, route, at).state !== 'ready') return false;
  const last = proved.get(route.id)?.findLast((moment) => moment <= at + HAIR_MS);
  return last === undefined || last < at - run.config.readiness.probe.everyMs - HAIR_MS;
}
