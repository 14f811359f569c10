import { availability, trialSlot } from '../../core/health/availability-of.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Run } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { groupBy, indexRun, millis, type ProbeCase } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { accountOf, hasOther, isSent, kindOf } from './probes.ts';

/** (r) */
export const recoversSoon: Invariant = {
  id: 'r',
  promise:
    'a route whose hold or circuit is over is asked within a moment whether it is back, by a probe if by nobody else',
  check: (run) => collect('r', (blame) => checkRun(run, blame)),
};

/** A moment. */
const GRACE_MS = 1000;
/** What could not be sent is tried again behind this. */
const AGAIN_MS = 5000;
const HOUR_MS = 3_600_000;
const PER_HOUR = 20;

/** Health as it was for a while, in which nothing is on record. */
type Calm = { readonly from: number; readonly until: number; readonly health: HealthState };

function checkRun(run: Run, blame: Blame): void {
  const { scenario, probedUntil, config } = run;
  // Operators change health without a fact, and parts that fail excuse much.
  if (probedUntil === null || scenario.acts.length > 0 || scenario.stores.length > 0) return;
  const routes = new Map<string, Route>();
  for (const { targets } of config.models.values())
    for (const target of targets) for (const route of target.routes) routes.set(route.id, route);
  const { probes } = indexRun(run);
  if (probes.some((each) => kindOf(run, each) === null)) return;
  const recoveries = probes.filter((each) => kindOf(run, each) === 'recovery');
  const books = { run, ofRoute: groupBy(recoveries, ({ probe }) => probe.route.id), recoveries, probes };
  for (const calm of calmsOf(run, probedUntil))
    for (const route of routes.values()) checkRoute(books, calm, route, blame);
}

type Books = {
  readonly run: Run;
  readonly ofRoute: ReadonlyMap<string, readonly ProbeCase[]>;
  readonly recoveries: readonly ProbeCase[];
  readonly probes: readonly ProbeCase[];
};

function calmsOf(run: Run, probedUntil: number): readonly Calm[] {
  const known = new Set(indexRun(run).all.map(({ id }) => id));
  const seen = run.log.filter(({ fact }) => fact.at < probedUntil && known.has(fact.request));
  return seen.flatMap(({ fact: { at }, health }, place) => {
    const until = seen[place + 1]?.fact.at ?? probedUntil;
    return until - at > GRACE_MS ? [{ from: at, until, health }] : [];
  });
}

function checkRoute(books: Books, calm: Calm, route: Route, blame: Blame): void {
  const at = dueAt(books.run, calm, route);
  if (at === null || at + graceOf(calm, route, at) >= calm.until || isExcused(books, calm, route, at)) return;
  blame(null, `${route.id} may be back, and nobody asks for ${millis(calm.until - at)}`);
}

/** Whether others are ready, so that what is left of a limit may be asked for, is seen only now and then. */
const graceOf = ({ health }: Calm, route: Route, at: number): number =>
  availability(health, route, at).cause === 'rate_limited' ? AGAIN_MS + GRACE_MS : GRACE_MS;

/** When what stands against a route is over, as far as it may be asked then; null: nothing does, or not for a probe. */
function dueAt(run: Run, { from, health }: Calm, route: Route): number | null {
  let at = from;
  for (let i = 0; i < SCOPES; i++) {
    const { state, until, cause } = availability(health, route, at);
    if (state === 'ready' || state === 'disabled' || state === 'slow' || cause === 'empty_completion') return null;
    if (state === 'half_open') return trialSlot(health, route, at) === 'free' && !isOnRamp(health, route) ? at : null;
    if (until === null || until <= at) return cause === 'rate_limited' && !hasOther(run, health, route, at) ? null : at;
    at = until;
  }
  return null;
}

const SCOPES = 5;

const isOnRamp = ({ scopes }: HealthState, { id, endpoint }: Route): boolean =>
  (scopes.route[id]?.circuit.open?.rung ?? 0) > 0 || (scopes.endpoint[endpoint]?.circuit.open?.rung ?? 0) > 0;

/** It was asked for this opening, another probe of its kin is under way, or the hour's budget is spent. */
function isExcused({ ofRoute, recoveries, probes }: Books, { health }: Calm, route: Route, at: number): boolean {
  const { scope, since } = availability(health, route, at);
  const own = (ofRoute.get(route.id) ?? []).filter(({ probe }) => probe.at <= at);
  const isOfOpening = ({ probe }: ProbeCase): boolean => {
    const seen = availability(probe.health, route, probe.at);
    return seen.scope === scope && seen.since === since;
  };
  if (own.some((each) => (isSent(each) || each.probe.at > at - AGAIN_MS) && isOfOpening(each))) return true;
  const isBeside = (each: ProbeCase): boolean => {
    const { probe } = each;
    if (probe.at > at + GRACE_MS || (probe.endedAt !== null && probe.endedAt < at)) return false;
    return accountOf(each) === `${route.provider}/${route.credential}` || probe.route.endpoint === route.endpoint;
  };
  if (probes.some(isBeside)) return true;
  const isSpent = (each: ProbeCase): boolean =>
    each.probe.at <= at && each.probe.at > at - HOUR_MS && each.probe.route.provider === route.provider && isSent(each);
  return recoveries.filter(isSpent).length >= PER_HOUR;
}
