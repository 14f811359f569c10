import { failedAt, isUnderTrial } from '../health/availability-of.ts';
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
  const { request, model, health, now } = input;
  const unordered = model.targets.flatMap((target) =>
    target.routes.map((route) =>
      assessRoute(route, target, request, health, now, input.translation ?? noTranslation(request)),
    ),
  );
  const base = baseOf(input, unordered);
  const assessed = inOrder(unordered, base.routes);
  const inService = rank(assessed);
  const ranked = inService.length > 0 ? inService : earlyTrial(input, assessed);
  const isRanked = new Set(ranked.map(({ route }) => route.id));
  const candidates: readonly Candidate[] = [
    ...ranked.map((one, index) => toCandidate(one, index + 1)),
    ...assessed.filter(({ route }) => !isRanked.has(route.id)).map((one) => toCandidate(one, null)),
  ];
  const plan: Plan = {
    at: now,
    order: [...new Set(assessed.map(({ target }) => target.id))],
    candidates,
    missing: [...new Set(assessed.flatMap(({ lacks }) => lacks.map(({ name }) => name)))],
  };
  return { plan, turns: base.turns, baseOrder: base.routes };
}

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
  const place = new Map(routes.map((id, index) => [id, index]));
  const placeOf = ({ route }: Assessed) => place.get(route.id) ?? routes.length;
  return [...assessed].sort((a, b) => placeOf(a) - placeOf(b));
}

function rank(assessed: readonly Assessed[]): readonly Assessed[] {
  const tiers = [...new Set(assessed.map(({ target }) => target.tier))].sort((a, b) => a - b);
  const inTiers = tiers.flatMap((tier) =>
    PLACES.flatMap((place) => nativeFirst(assessed.filter((one) => one.target.tier === tier && one.place === place))),
  );
  const lastResorts = assessed
    .filter(({ place }) => place === 'last_resort')
    .sort((a, b) => (a.availability.until ?? 0) - (b.availability.until ?? 0));
  return [...inTiers, ...lastResorts];
}

/** Those that need no translation, then those that do and are to come last (`translate: last`). */
const nativeFirst = (assessed: readonly Assessed[]): readonly Assessed[] => [
  ...assessed.filter(({ isForeign }) => !isForeign),
  ...assessed.filter(({ isForeign }) => isForeign),
];

/**
 * With nothing else to ask, the circuit that failed longest ago opens early, one trial at a time over all routes: while
 * one is under way, nobody else is let in. Only for a request that has nothing yet: one whose own attempts opened the
 * last circuit has had its answer, and an open circuit ends its repeats.
 */
function earlyTrial({ health, baseOrder, now }: PlanInput, assessed: readonly Assessed[]): readonly Assessed[] {
  const able = assessed.filter(({ lacks, availability }) => lacks.length === 0 && availability.state !== 'disabled');
  const isTaken = ({ slot, route }: Assessed): boolean => slot === 'taken' || isUnderTrial(health, route, now);
  if (baseOrder !== null || able.some(isTaken)) return [];
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
