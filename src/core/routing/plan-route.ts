import { awaitsProbe, failedAt, isUnderTrial } from '../health/availability-of.ts';
import type { HealthState } from '../health/state.ts';
import type { CanonicalRequest } from '../model/request.ts';
import { type Assessed, assessRoute, PLACES, type TranslationLacks } from './assess-route.ts';
import { type BaseOrder, orderRoutes } from './base-order.ts';
import type { VirtualModel } from './candidate.ts';
import type { Candidate, Plan } from './plan.ts';
import type { RotationTable, Turn } from './rotation.ts';

export type PlanInput = {
  readonly request: CanonicalRequest;
  readonly model: VirtualModel;
  readonly health: HealthState;
  readonly rotation: RotationTable;
  /** Id of the route that serves the request's conversation; null when none does. */
  readonly affinityRoute: string | null;
  /** Epoch ms. */
  readonly now: number;
  /** Uniform in [0, 1): for the strategy `weighted`. */
  readonly random: number;
  /** Of an earlier plan of the same request, so that a request turns the wheels once; null for its first plan. */
  readonly baseOrder: readonly string[] | null;
  /** Absent: nothing can be translated. */
  readonly translation?: TranslationLacks;
  /**
   * Whose the trials of open circuits are: anybody's, or a prober's where another route serves. `itself`: the request is a
   * probe, and opens nothing early. Absent: anybody's.
   */
  readonly trials?: 'anybody' | 'prober' | 'itself';
};

export type Planned = {
  readonly plan: Plan;
  /**
   * The turns that chose, to be taken once an attempt that they chose is sent, on a table that others may have turned.
   */
  readonly turns: readonly Turn[];
  /** For the next plan of the same request. */
  readonly baseOrder: readonly string[];
};

/**
 * Orders all routes of a model for one request, or says why they are left out. Every route is a candidate exactly once.
 * Tiers are hard, readiness stands above affinity and strategy, last resorts stand behind the last tier.
 */
export function planRoute(input: PlanInput): Planned {
  const { request, model, health, now, translation = noTranslation(request) } = input;
  const unordered: Assessed[] = [];
  for (const target of model.targets) {
    for (const route of target.routes) unordered.push(assessRoute(route, target, request, health, now, translation));
  }
  const base = baseOf(input, unordered);
  const assessed = leaveTrials(input, inOrder(unordered, base.routes));
  const inService = rank(assessed);
  const ranked = inService.length > 0 ? inService : earlyTrial(input, assessed);
  const candidates: Candidate[] = ranked.map((one, index) => toCandidate(one, index + 1));
  if (ranked.length < assessed.length) {
    const isRanked = new Set(ranked.map(({ route }) => route.id));
    for (const one of assessed) if (!isRanked.has(one.route.id)) candidates.push(toCandidate(one, null));
  }
  const plan: Plan = { at: now, order: unique(assessed, targetId), candidates, missing: missingOf(assessed) };
  return { plan, turns: base.turns, baseOrder: base.routes };
}

const targetId = ({ target }: Assessed): string => target.id;

/** In the order of their first appearance; a model has few targets. */
function unique(assessed: readonly Assessed[], name: (one: Assessed) => string): readonly string[] {
  const names: string[] = [];
  for (const one of assessed) {
    const each = name(one);
    if (!names.includes(each)) names.push(each);
  }
  return names;
}

const NOTHING: readonly string[] = [];

const missingOf = (assessed: readonly Assessed[]): readonly string[] =>
  assessed.every(({ lacks }) => lacks.length === 0)
    ? NOTHING
    : [...new Set(assessed.flatMap(({ lacks }) => lacks.map(({ name }) => name)))];

const noTranslation =
  ({ protocol }: CanonicalRequest): TranslationLacks =>
  (to) => [`translation from ${protocol} to ${to}`];

function baseOf(
  { model, rotation, affinityRoute, random, baseOrder }: PlanInput,
  assessed: readonly Assessed[],
): BaseOrder {
  if (baseOrder !== null) return { routes: baseOrder, turns: [] };
  return orderRoutes({ model, assessed, rotation, affinityRoute, random });
}

/**
 * Routes that an order does not name (there are none but by a changed configuration) stand behind those that it does.
 */
function inOrder(assessed: readonly Assessed[], routes: readonly string[]): readonly Assessed[] {
  if (assessed.every(({ route }, i) => route.id === routes[i])) return assessed;
  const place = new Map(routes.map((id, index) => [id, index]));
  const placeOf = ({ route }: Assessed) => place.get(route.id) ?? routes.length;
  return [...assessed].sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * A client pays for no trial that a prober makes: while another route is ready, one that is half-open waits for its probe.
 * It stands behind all that serve: a request that all of these have failed has nothing to lose by it.
 */
function leaveTrials({ trials, health, now }: PlanInput, assessed: readonly Assessed[]): readonly Assessed[] {
  const isServed = ({ place, use }: Assessed): boolean => place === 'ready' && use === 'serve';
  if (trials !== 'prober' || !assessed.some(isServed)) return assessed;
  return assessed.map((one) =>
    one.use === 'trial' && awaitsProbe(health, one.route, now) ? { ...one, ...LEFT_TO_PROBER } : one,
  );
}

const LEFT_TO_PROBER: Pick<Assessed, 'place' | 'reason'> = {
  place: 'left',
  reason: 'behind all that serve, circuit half-open: a probe makes the trial while they do',
};

/** Places in the order of service: a tier is hard, then who is readier, then who needs no translation. */
function rank(assessed: readonly Assessed[]): readonly Assessed[] {
  const served = assessed.filter(({ place }) => place !== 'out');
  return served.sort((a, b) => behind(a) - behind(b) || (a.place === 'last_resort' ? byReturn(a, b) : byService(a, b)));
}

/** Behind the last tier: what is left to a prober, then last resorts in the order of their return. */
const behind = ({ place }: Assessed): number => (place === 'last_resort' ? 2 : place === 'left' ? 1 : 0);

const byReturn = (a: Assessed, b: Assessed): number => (a.availability.until ?? 0) - (b.availability.until ?? 0);

const byService = (a: Assessed, b: Assessed): number =>
  a.target.tier - b.target.tier ||
  PLACES.indexOf(a.place as Place) - PLACES.indexOf(b.place as Place) ||
  Number(a.isForeign) - Number(b.isForeign);

type Place = (typeof PLACES)[number];

/**
 * With nothing else to ask, the circuit that failed longest ago opens early, one trial at a time over all routes: while
 * one is under way, nobody else is let in. Only for a request that has nothing yet: one whose own attempts opened the
 * last circuit has had its answer, and an open circuit ends its repeats.
 */
function earlyTrial({ health, baseOrder, now, trials }: PlanInput, assessed: readonly Assessed[]): readonly Assessed[] {
  const able = assessed.filter(({ lacks, availability }) => lacks.length === 0 && availability.state !== 'disabled');
  const isTaken = ({ slot, route }: Assessed): boolean => slot === 'taken' || isUnderTrial(health, route, now);
  if (trials === 'itself' || baseOrder !== null || able.some(isTaken)) return [];
  const open = able.filter(({ availability }) => availability.state === 'open');
  const moment = ({ route }: Assessed) => failedAt(health, route) ?? 0;
  const [oldest] = [...open].sort((a, b) => moment(a) - moment(b));
  if (oldest === undefined) return [];
  const reason = 'nothing else can serve: the circuit that failed longest ago is tried early';
  return [{ ...oldest, use: 'trial', skip: null, reason }];
}

function toCandidate(assessed: Assessed, rank: number | null): Candidate {
  const { route, target, use, skip, lacks, availability, reason } = assessed;
  const lacking = lacks.length === 0 ? {} : { lacks: lacks.map(({ what }) => what) };
  return { route, target, rank, use, skip, ...lacking, availability, reason };
}
