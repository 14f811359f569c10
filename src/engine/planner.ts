import type { HealthState } from '../core/health/state.ts';
import { PROTOCOL_NAMES } from '../core/model/protocol-names.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import { type AffinityMap, affinityKey, createAffinityMap, tellAffinity } from '../core/routing/affinity.ts';
import {
  bindToIssuer,
  bindToNobody,
  bindToProtocol,
  type Issuer,
  preferIssuer,
} from '../core/routing/affinity-state.ts';
import type { TranslationLacks } from '../core/routing/assess-route.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { Plan } from '../core/routing/plan.ts';
import { type Planned, planRoute } from '../core/routing/plan-route.ts';
import { type RotationTable, returnTurn, type Turn, takeTurn } from '../core/routing/rotation.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import type { AnswerMap } from './answer-map.ts';
import { findOrigin, type Origin } from './find-origin.ts';
import type { History } from './history.ts';
import { createResponseStore, type ResponseStore } from './response-store.ts';
import { READ_HERE, type TranslationFacts } from './translations.ts';
import type { Call } from './types.ts';

/** Plans one request: once with the wheels, then, after each attempt, again with fresh health and the same order. */
export type Planner = {
  /**
   * While `TranslationFacts.hasUnread`, what it gives is not to be acted on and does not count as the first one.
   */
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
  /** The answer's id is known: whoever names it later means this route. `isOwnId`: the gateway made it. */
  keepAnswer(route: Route, answerId: string | null, now: number, isOwnId?: boolean): void;
  /** Whoever brings one of these back later means this route (`ConversationHints.seals`). */
  keepSeals(route: Route, seals: readonly string[], now: number): void;
  /** What the request goes on from, as far as it is kept here. Known with the first plan. */
  readonly history: History | null;
};

export type PlannedCall = Pick<Call, 'request' | 'model' | 'key' | 'session' | 'kind'> & {
  readonly settings: Pick<Call['settings'], 'isolatesClients' | 'isProbing'>;
  /** Absent: the protocol's own. */
  readonly codec?: Pick<ProtocolCodec, 'tells' | 'relaysOnly'>;
};

/** Rotation and affinity of all requests of this process. */
export type PlannerPool = {
  /** `translation`: absent, everything is read at once. */
  create(call: PlannedCall, translation?: TranslationFacts): Planner;
};

/**
 * An order for a request that goes on from an earlier answer: without any of it kept here only its issuer can serve. With it
 * the issuer is still asked first, and the whole is read only for the others: where they are asked, or may have to be.
 */
function bind(origin: Origin, plan: Replan, affinityRoute: string | null, hasSent: boolean): Planned {
  const { binding, history } = origin;
  if (binding === 'nobody') return changed(plan(null), bindToNobody);
  if (history === null) {
    return changed(plan(null), (made) =>
      binding === null ? tellAffinity(made, affinityRoute) : bindToIssuer(made, binding),
    );
  }
  if (binding !== null) {
    const made = changed(plan(null), (each) => preferIssuer(each, binding));
    if (!hasSent && made.plan.candidates[0]?.boundBy === 'issuer') return made;
  }
  const whole = history.whole();
  if (whole === null)
    return changed(plan(null), (made) => (binding === null ? bindToNobody(made) : bindToIssuer(made, binding)));
  return changed(plan(whole), (made) =>
    binding === null ? tellAffinity(made, affinityRoute) : preferIssuer(made, binding),
  );
}

/** What keeps a request from being said in another protocol. */
const lacksIn =
  (
    request: CanonicalRequest,
    { relaysOnly }: NonNullable<PlannedCall['codec']>,
    translation: TranslationFacts,
  ): TranslationLacks =>
  (to) =>
    relaysOnly === undefined ? translation.lacks(request, to) : [`${relaysOnly} in ${PROTOCOL_NAMES[to].short}`];

/** Plans the request itself (null), or what it becomes with all that came before. */
type Replan = (whole: CanonicalRequest | null) => Planned;

const changed = (planned: Planned, change: (plan: Plan) => Plan): Planned => ({
  ...planned,
  plan: change(planned.plan),
});

const issuerOf = (
  { id, target, provider, credential, account = null }: Omit<Route, 'account'> & { readonly account?: string | null },
  served: Pick<Issuer, 'model' | 'asked'>,
): Issuer => ({ route: id, target, provider, credential, account, ...served });

/** An answer has one, as a rule. */
const MAX_SEALS = 4;

export function createPlannerPool(
  health: () => HealthState,
  answers: AnswerMap,
  responses: ResponseStore = createResponseStore(),
): PlannerPool {
  let table: RotationTable = {};
  const affinity: AffinityMap = createAffinityMap();
  return {
    create(call, translation = READ_HERE) {
      const { request, model, key, settings, codec = {} } = call;
      // Whoever only looks changes nobody's turn and leads no conversation anywhere.
      const isLooking = codec.tells === 'endpoint';
      const trials = call.kind === 'probe' ? 'itself' : settings.isProbing === true ? 'prober' : 'anybody';
      const conversation = model.affinity ? affinityKey(request, key) : null;
      let baseOrder: readonly string[] | null = null;
      let turns: readonly Turn[] = [];
      let taken: readonly Turn[] = [];
      let chosen: Route | null = null;
      let origin: Origin | undefined;
      const issuer = (route: Route): Issuer => issuerOf(route, { model: model.name, asked: request.model });
      const giveBack = (lost: readonly Turn[]): void => {
        table = lost.reduce(returnTurn, table);
        taken = taken.filter((turn) => !lost.includes(turn));
      };
      return {
        plan(now, random) {
          origin ??= findOrigin({ answers, responses }, call, now);
          const affinityRoute = conversation === null ? null : affinity.get(`${model.name} ${conversation}`, now);
          const replan: Replan = (whole) => {
            const asked = whole ?? request;
            const input = {
              request: asked,
              model,
              health: health(),
              rotation: table,
              affinityRoute,
              now,
              random,
              baseOrder,
            };
            return planRoute({ ...input, translation: lacksIn(asked, codec, translation), trials });
          };
          const bound = bind(origin, replan, affinityRoute, chosen !== null);
          const isUnknown = request.conversation.previousResponseId !== null && origin.history === null;
          const planned = isUnknown ? changed(bound, (made) => bindToProtocol(made, request.protocol)) : bound;
          if (translation.hasUnread) return planned.plan;
          if (baseOrder === null) turns = planned.turns;
          baseOrder = planned.baseOrder;
          return planned.plan;
        },
        take(route) {
          const isOf = ({ choice }: Turn): boolean => choice === route.target || choice === route.credential;
          if (isLooking) chosen = route;
          else if (chosen === null) {
            chosen = route;
            taken = turns.filter(isOf);
            table = taken.reduce(takeTurn, table);
          } else giveBack(route.target === chosen.target ? taken.filter((turn) => !isOf(turn)) : taken);
        },
        giveBack: () => giveBack(taken),
        keep(route, now) {
          if (conversation !== null && !isLooking) affinity.set(`${model.name} ${conversation}`, route.id, now);
        },
        get history() {
          return origin?.history ?? null;
        },
        keepAnswer(route, answerId, now, isOwnId = false) {
          if (answerId === null) return;
          const by: Issuer = { ...issuer(route), ...(isOwnId ? { isOwnId } : {}) };
          if (request.isStored !== false) answers.set('response', answerId, key, by, now);
          const { conversationId } = request.conversation;
          if (conversationId != null) answers.set('conversation', conversationId, key, by, now);
        },
        keepSeals(route, seals, now) {
          for (const seal of seals.slice(-MAX_SEALS)) answers.set('seal', seal, key, issuer(route), now);
        },
      };
    },
  };
}
