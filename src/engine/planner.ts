import type { HealthState } from '../core/health/state.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import { type AffinityMap, affinityKey, createAffinityMap } from '../core/routing/affinity.ts';
import { bindToIssuer, type Issuer } from '../core/routing/affinity-state.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { Plan } from '../core/routing/plan.ts';
import { planRoute } from '../core/routing/plan-route.ts';
import { type RotationTable, returnTurn, type Turn, takeTurn } from '../core/routing/rotation.ts';
import type { AnswerMap } from './answer-map.ts';
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

/** Rotation and affinity of all requests of this process. */
export type PlannerPool = {
  create(call: Pick<Call, 'request' | 'model' | 'key'>): Planner;
};

/** Whose answer the request goes on from; null: it names none, or one that nobody here knows. */
function findIssuer(
  answers: AnswerMap,
  { previousResponseId, conversationId }: CanonicalRequest['conversation'],
  key: string | null,
  now: number,
): Issuer | null {
  const known = previousResponseId === null ? null : answers.get('response', previousResponseId, key, now);
  if (known !== null || conversationId == null) return known;
  return answers.get('conversation', conversationId, key, now);
}

export function createPlannerPool(health: () => HealthState, answers: AnswerMap): PlannerPool {
  let table: RotationTable = {};
  const affinity: AffinityMap = createAffinityMap();
  return {
    create({ request, model, key }) {
      const conversation = model.affinity ? affinityKey(request, key) : null;
      let baseOrder: readonly string[] | null = null;
      let turns: readonly Turn[] = [];
      let taken: readonly Turn[] = [];
      let chosen: Route | null = null;
      let issuer: Issuer | null | undefined;
      const giveBack = (lost: readonly Turn[]): void => {
        table = lost.reduce(returnTurn, table);
        taken = taken.filter((turn) => !lost.includes(turn));
      };
      return {
        plan(now, random) {
          if (issuer === undefined) issuer = findIssuer(answers, request.conversation, key, now);
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
          return issuer === null ? planned.plan : bindToIssuer(planned.plan, issuer);
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
          const { id, target, provider, credential } = route;
          const by: Issuer = { route: id, target, provider, credential, model: model.name, asked: request.model };
          answers.set('response', answerId, key, by, now);
          const { conversationId } = request.conversation;
          if (conversationId != null) answers.set('conversation', conversationId, key, by, now);
        },
      };
    },
  };
}
