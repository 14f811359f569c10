import type { HealthState } from '../core/health/state.ts';
import { type AffinityMap, affinityKey, createAffinityMap } from '../core/routing/affinity.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { Plan } from '../core/routing/plan.ts';
import { planRoute } from '../core/routing/plan-route.ts';
import { type RotationTable, returnTurn, type Turn, takeTurn } from '../core/routing/rotation.ts';
import type { Call } from './types.ts';

/** Plans one request: once with the wheels, then, after each attempt, again with fresh health and the same order. */
export type Planner = {
  plan(now: number, random: number): Plan;
  /**
   * An attempt is being sent to this route: the turns that chose it count. Once another route is asked, they are given
   * back; a repeat of the same one leaves them.
   */
  take(route: Route): void;
  /** The request has failed: its turns are given back. */
  giveBack(): void;
  /** It answers: its conversation stays there. */
  keep(route: Route, now: number): void;
};

/** Rotation and affinity of all requests of this process. */
export type PlannerPool = {
  create(call: Pick<Call, 'request' | 'model' | 'key'>): Planner;
};

export function createPlannerPool(health: () => HealthState): PlannerPool {
  let table: RotationTable = {};
  const affinity: AffinityMap = createAffinityMap();
  return {
    create({ request, model, key }) {
      const conversation = model.affinity ? affinityKey(request, key) : null;
      let baseOrder: readonly string[] | null = null;
      let turns: readonly Turn[] = [];
      let taken: readonly Turn[] = [];
      let chosen: Route | null = null;
      const giveBack = (lost: readonly Turn[]): void => {
        table = lost.reduce(returnTurn, table);
        taken = taken.filter((turn) => !lost.includes(turn));
      };
      return {
        plan(now, random) {
          const affinityRoute = conversation === null ? null : affinity.get(`${model.name} ${conversation}`, now);
          const planned = planRoute({
            request,
            model,
            health: health(),
            rotation: table,
            affinityRoute,
            now,
            random,
            baseOrder,
          });
          if (baseOrder === null) turns = planned.turns;
          baseOrder = planned.baseOrder;
          return planned.plan;
        },
        take(route) {
          const isOf = ({ choice }: Turn): boolean => choice === route.target || choice === route.credential;
          if (chosen === null) {
            chosen = route;
            taken = turns.filter(isOf);
            table = taken.reduce(takeTurn, table);
          } else giveBack(route.target === chosen.target ? taken.filter((turn) => !isOf(turn)) : taken);
        },
        giveBack: () => giveBack(taken),
        keep(route, now) {
          if (conversation !== null) affinity.set(`${model.name} ${conversation}`, route.id, now);
        },
      };
    },
  };
}
