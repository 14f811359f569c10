import type { HealthState } from '../core/health/state.ts';
import { type AffinityMap, affinityKey, createAffinityMap, tellAffinity } from '../core/routing/affinity.ts';
import { bindToIssuer, bindToNobody, type Issuer } from '../core/routing/affinity-state.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { Plan } from '../core/routing/plan.ts';
import { planRoute } from '../core/routing/plan-route.ts';
import { type RotationTable, returnTurn, type Turn, takeTurn } from '../core/routing/rotation.ts';
import { translatorOf } from '../protocol/translate/index.ts';
import type { AnswerMap, FoundAnswer } from './answer-map.ts';
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
  /** The answer's id is known: whoever names it later means this route. */
  keepAnswer(route: Route, answerId: string | null, now: number): void;
};

export type PlannedCall = Pick<Call, 'request' | 'model' | 'key'> & {
  readonly settings: Pick<Call['settings'], 'isolatesClients'>;
};

/** Rotation and affinity of all requests of this process. */
export type PlannerPool = {
  create(call: PlannedCall): Planner;
};

/**
 * What binds a request: who issued what it goes on from, `nobody` where its client may not go on from that; null,
 * nothing. Each name counts, since its provider would read each. Where several clients have keys of their own, an id
 * that is not known here may be that of another one, from before a restart.
 */
type Binding = Issuer | 'nobody' | null;

function findBinding(answers: AnswerMap, { request, key, settings }: PlannedCall, now: number): Binding {
  const { previousResponseId, conversationId = null } = request.conversation;
  const found: FoundAnswer[] = [
    ...(previousResponseId === null ? [] : [answers.get('response', previousResponseId, key, now)]),
    ...(conversationId === null ? [] : [answers.get('conversation', conversationId, key, now)]),
  ];
  const isRefused = ({ whose }: FoundAnswer): boolean =>
    whose === 'foreign' || (whose === 'unknown' && settings.isolatesClients);
  if (found.some(isRefused)) return 'nobody';
  return found.find((each) => each.whose === 'mine')?.issuer ?? null;
}

function bind(plan: Plan, binding: Binding, affinityRoute: string | null): Plan {
  if (binding === null) return tellAffinity(plan, affinityRoute);
  return binding === 'nobody' ? bindToNobody(plan) : bindToIssuer(plan, binding);
}

export function createPlannerPool(health: () => HealthState, answers: AnswerMap): PlannerPool {
  let table: RotationTable = {};
  const affinity: AffinityMap = createAffinityMap();
  return {
    create(call) {
      const { request, model, key } = call;
      const conversation = model.affinity ? affinityKey(request, key) : null;
      let baseOrder: readonly string[] | null = null;
      let turns: readonly Turn[] = [];
      let taken: readonly Turn[] = [];
      let chosen: Route | null = null;
      let binding: Binding | undefined;
      const giveBack = (lost: readonly Turn[]): void => {
        table = lost.reduce(returnTurn, table);
        taken = taken.filter((turn) => !lost.includes(turn));
      };
      return {
        plan(now, random) {
          if (binding === undefined) binding = findBinding(answers, call, now);
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
            translation: (to) => translatorOf(request).lacks(to),
          });
          if (baseOrder === null) turns = planned.turns;
          baseOrder = planned.baseOrder;
          return bind(planned.plan, binding, affinityRoute);
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
        keepAnswer(route, answerId, now) {
          if (answerId === null) return;
          const { id, target, provider, credential, account = null } = route;
          const served = { model: model.name, asked: request.model };
          const by: Issuer = { route: id, target, provider, credential, account, ...served };
          if (request.isStored !== false) answers.set('response', answerId, key, by, now);
          const { conversationId } = request.conversation;
          if (conversationId != null) answers.set('conversation', conversationId, key, by, now);
        },
      };
    },
  };
}
