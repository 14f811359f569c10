import { credentialId } from '../health/scope.ts';
import type { Route, Target, VirtualModel } from '../routing/candidate.ts';
import { groupBy, interleave, takeTurns } from './interleave.ts';
import type { ReportedStage } from './report.ts';
import { countReady, type Round, type RoundCandidate, type RoundSettings } from './round.ts';
import type { Standing } from './standing.ts';

export type RoundInput = {
  readonly models: readonly Pick<VirtualModel, 'name' | 'targets'>[];
  readonly settings: RoundSettings;
  readonly standing: (candidate: { readonly target: Target; readonly route: Route }) => Standing;
  readonly now: number;
  readonly endsAt: number;
  /** What came before it, and how that ended. */
  readonly discovery?: { readonly startedAt: number; readonly end: ReportedStage['end'] };
};

/**
 * A round over these models. Those of a lower tier come first; within a tier endpoints take turns, on each of them its
 * credentials; within one of these the model's order stands. Models take turns too. What is known already is not asked.
 */
export function createRound({ models, settings, standing, now, endsAt, discovery }: RoundInput): Round {
  const lists = models.map((model) => fillOrder(model).map((route) => ({ ...route, model: model.name })));
  const askable = lists.map((list) => list.filter((one) => ASKED.has(standing(one).word)));
  const byRoute = groupBy(takeTurns(askable), ({ route }) => route.id);
  const proved = lists.flat().filter((one) => standing(one).word === 'proved');
  const stages: Round['stages'] =
    discovery === undefined
      ? []
      : [{ stage: 'discovery', startedAt: discovery.startedAt, endedAt: now, end: discovery.end }];
  const round: Round = {
    settings,
    endsAt,
    candidates: byRoute.flatMap(candidateOf),
    accounts: {},
    ready: {},
    probes: 0,
    tokens: 0,
    stages: [...stages, { stage: 'first_pass', startedAt: now, endedAt: null, end: null }],
    end: null,
  };
  return proved.reduce((next, { model }) => countReady(next, [model]), round);
}

const ASKED: ReadonlySet<Standing['word']> = new Set(['ask', 'wait']);

type Listed = { readonly target: Target; readonly route: Route };

/** The routes of a model in the order in which a round asks them. */
export function fillOrder({ targets }: Pick<VirtualModel, 'targets'>): readonly Listed[] {
  const listed = targets.flatMap((target) => target.routes.map((route) => ({ target, route })));
  const tiers = [...groupBy(listed, ({ target }) => target.tier)].sort((a, b) => tierOf(a) - tierOf(b));
  return tiers.flatMap((tier) => interleave(tier, [({ route }) => route.endpoint, ({ route }) => credentialId(route)]));
}

const tierOf = (listed: readonly Listed[]): number => listed[0]?.target.tier ?? 0;

function candidateOf(same: readonly (Listed & { readonly model: string })[]): readonly RoundCandidate[] {
  const [first] = same;
  if (first === undefined) return [];
  const { route } = first;
  return [
    {
      route: route.id,
      provider: route.provider,
      account: credentialId(route),
      models: [...new Set(same.map(({ model }) => model))],
      phase: 'waiting',
      pass: null,
      attempts: 0,
      escalation: null,
      reserved: 0,
      latencyMs: null,
      status: null,
    },
  ];
}
