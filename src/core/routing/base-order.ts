import { type Assessed, PLACES } from './assess-route.ts';
import type { Target, VirtualModel } from './candidate.ts';
import { chooseTurn, modelKey, orderByScore, poolKey, type RotationTable, type Turn } from './rotation.ts';
import { STRATEGIES } from './strategies/index.ts';

export type BaseOrderInput = {
  readonly model: VirtualModel;
  readonly assessed: readonly Assessed[];
  readonly rotation: RotationTable;
  /** Id of the route that the conversation is on; null: none. */
  readonly affinityRoute: string | null;
  readonly random: number;
};

export type BaseOrder = {
  /** Ids of all routes: by tier, affinity, strategy, and within a target by its credential pool. */
  readonly routes: readonly string[];
  /** What the choice of the first route takes of the wheels. */
  readonly turns: readonly Turn[];
};

/**
 * The order in which a request goes over its routes, health apart. A wheel is turned only where it chose the first
 * route: in the tier that serves, between the targets that are equally ready there, and not where affinity chose.
 */
export function orderRoutes(input: BaseOrderInput): BaseOrder {
  const { model, assessed } = input;
  const home = homeOf(input);
  const turns: Turn[] = [];
  const routes: string[] = [];
  let hasLed = false;
  for (const tier of tiersOf(model)) {
    const best = bestOf(assessed.filter(({ target }) => target.tier === tier));
    const { order, turn } = orderTier(input, tier, best, home);
    const isLeading: boolean = !hasLed && best.length > 0;
    hasLed ||= isLeading;
    if (isLeading && turn !== null) turns.push(turn);
    const first = isLeading ? order.find((id) => best.some(({ target }) => target.id === id)) : undefined;
    for (const id of order) {
      const pool = orderPool(input, id, best, home);
      if (id === first && pool.turn !== null) turns.push(pool.turn);
      routes.push(...pool.order);
    }
  }
  return { routes, turns };
}

/** Models are of the configuration: their tiers are looked for once. */
const tiers = new WeakMap<VirtualModel, readonly number[]>();

function tiersOf(model: VirtualModel): readonly number[] {
  const known = tiers.get(model) ?? [...new Set(model.targets.map(({ tier }) => tier))].sort((a, b) => a - b);
  tiers.set(model, known);
  return known;
}

/** The route that keeps its conversation: only while it is ready. */
function homeOf({ model, assessed, affinityRoute }: BaseOrderInput): Assessed | null {
  if (!model.affinity || affinityRoute === null) return null;
  const home = assessed.find(({ route }) => route.id === affinityRoute);
  return home?.place === 'ready' && home.use === 'serve' ? home : null;
}

/**
 * Routes of the first place that any has, of these those that need no translation, if any; none when all are out or a
 * last resort.
 */
function bestOf(assessed: readonly Assessed[]): readonly Assessed[] {
  const best = PLACES.find((place) => assessed.some((one) => one.place === place));
  const all = best === undefined ? [] : assessed.filter(({ place }) => place === best);
  const native = all.filter(({ isForeign }) => !isForeign);
  return native.length === 0 ? all : native;
}

type Ordered = { readonly order: readonly string[]; readonly turn: Turn | null };

function orderTier(
  { model, rotation, random }: BaseOrderInput,
  tier: number,
  best: readonly Assessed[],
  home: Assessed | null,
): Ordered {
  const { order, turn } = STRATEGIES[model.strategy]({
    targets: model.targets.filter((target) => target.tier === tier),
    eligible: new Set(best.map(({ target }) => target.id)),
    rotation,
    key: modelKey(model.name),
    sticky: model.sticky,
    random,
  });
  return home?.target.tier === tier ? { order: toFront(order, home.target.id), turn: null } : { order, turn };
}

/** The routes of a target in the order of its provider's pool. */
function orderPool(
  { model, rotation }: BaseOrderInput,
  targetId: string,
  best: readonly Assessed[],
  home: Assessed | null,
): Ordered {
  const target = model.targets.find(({ id }) => id === targetId);
  if (target === undefined) return { order: [], turn: null };
  const { order, turn } =
    target.credentialStrategy === 'round-robin' ? turnPool(target, rotation, best) : asListed(target);
  return home?.target.id === targetId ? { order: toFront(order, home.route.id), turn: null } : { order, turn };
}

function asListed(target: Target): Ordered {
  return { order: target.routes.map(({ id }) => id), turn: null };
}

function turnPool(target: Target, rotation: RotationTable, best: readonly Assessed[]): Ordered {
  const wheels = target.routes.map(({ credential }) => ({ id: credential, weight: 1 }));
  const key = poolKey(target.provider);
  const isEligible = (credential: string) =>
    best.some(({ route }) => route.target === target.id && route.credential === credential);
  const turn = chooseTurn(
    rotation,
    key,
    wheels.filter(({ id }) => isEligible(id)),
    1,
  );
  const names = orderByScore(rotation, key, wheels);
  const order = turn === null ? names : toFront(names, turn.choice);
  return {
    order: order.flatMap((name) => target.routes.filter(({ credential }) => credential === name).map(({ id }) => id)),
    turn,
  };
}

function toFront(order: readonly string[], id: string): readonly string[] {
  return order.includes(id) ? [id, ...order.filter((other) => other !== id)] : order;
}
