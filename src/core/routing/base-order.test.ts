import { describe, expect, it } from 'vitest';
import {
  FAILURES,
  makeModel,
  makeObservation,
  makeRequest,
  makeRoute,
  makeTarget,
  SECOND,
  withBreaker,
} from '../../../test/kit/health-fixtures.ts';
import { observe } from '../health/observe.ts';
import { operate } from '../health/operate.ts';
import { retainRoutes } from '../health/retain-routes.ts';
import { createHealthState, type HealthState } from '../health/state.ts';
import { type PlanInput, type Planned, planRoute } from './plan-route.ts';
import { orderByChance } from './strategies/weighted.ts';

function plan(targets: Parameters<typeof makeModel>[0], change: Partial<PlanInput> = {}): Planned {
  const base = { request: makeRequest(), health: createHealthState(), rotation: {}, now: 0, random: 0 };
  return planRoute({ ...base, model: makeModel(targets), affinityRoute: null, baseOrder: null, ...change });
}

const order = ({ plan: { candidates } }: Planned): string[] =>
  candidates.flatMap(({ rank, route }) => (rank === null ? [] : [route.id.replace('#default', '')]));

describe('the order of routes', () => {
  const [a, b] = [makeTarget('p/a'), makeTarget('q/b')];

  it('goes by the number of the tier', () => {
    const tiers = [10, 9, 100].map((tier) => makeTarget(`p/t${tier}`, { tier }));
    expect(order(plan(tiers))).toEqual(['p/t9', 'p/t10', 'p/t100']);
  });

  it('brings a conversation home, but not to a route that is on trial', () => {
    expect(order(plan([a, b], { affinityRoute: 'q/b#default' }))).toEqual(['q/b', 'p/a']);
    const failure = FAILURES.serverError();
    const seen = makeObservation(makeRoute('q/b'), 0, 'failure', { failure });
    const health = observe(createHealthState(), seen, withBreaker({ failures: 1 }));
    const onTrial = plan([a, b], { affinityRoute: 'q/b#default', health, now: 11 * SECOND });
    expect(order(onTrial)).toEqual(['p/a', 'q/b']);
    expect(onTrial.plan.candidates[1]?.use).toBe('trial');
  });

  it('turns no wheel where the conversation chose', () => {
    const pooled = makeTarget('p/a', { credentialStrategy: 'round-robin' }, ['one', 'two']);
    expect(plan([pooled]).turns).toMatchObject([{ key: 'pool:p', choice: 'one' }]);
    const home = plan([pooled], { affinityRoute: 'p/a#two' });
    expect([order(home), home.turns]).toEqual([['p/a#two', 'p/a#one'], []]);
  });

  it('says of a disabled route that it is disabled, whatever it lacks', () => {
    const lacking = makeTarget('p/a', { capabilities: { images: false } });
    const known = retainRoutes(createHealthState(), lacking.routes);
    const health = operate(known, 'disable', 'p/a#default', 0) as HealthState;
    const { candidates } = plan([lacking], { health, request: makeRequest({ needs: ['images'] }) }).plan;
    expect(candidates).toMatchObject([{ skip: 'skipped_disabled' }]);
  });

  it('by chance draws each place anew from one number', () => {
    const targets = ['p/a', 'p/b', 'p/c'].map((id) => makeTarget(id));
    const drawn = (random: number): readonly string[] =>
      orderByChance({ targets, eligible: new Set(), rotation: {}, key: 'k', sticky: 1, random }).order;
    expect(drawn(0.7)).toEqual(['p/c', 'p/a', 'p/b']);
    expect(drawn(0.9)).toEqual(['p/c', 'p/b', 'p/a']);
    expect(drawn(0)).toEqual(['p/a', 'p/b', 'p/c']);
  });
});
