import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availability } from '../../src/core/health/availability-of.ts';
import { claimTrial } from '../../src/core/health/claim-trial.ts';
import { observe } from '../../src/core/health/observe.ts';
import { operate } from '../../src/core/health/operate.ts';
import { retainRoutes } from '../../src/core/health/retain-routes.ts';
import { createHealthState, type HealthState } from '../../src/core/health/state.ts';
import type { Route, VirtualModel } from '../../src/core/routing/candidate.ts';
import { type PlanInput, planRoute } from '../../src/core/routing/plan-route.ts';
import { takeTurn } from '../../src/core/routing/rotation.ts';
import { assertProperty } from '../kit/assert-property.ts';
import {
  FAILURES,
  type FailureName,
  HEALTH,
  MINUTE,
  makeModel,
  makeObservation,
  makeRequest,
  makeTarget,
} from '../kit/health-fixtures.ts';

const NAMES = Object.keys(FAILURES) as FailureName[];
const NOW = 20 * MINUTE;

const TARGET = fc.record({
  provider: fc.constantFrom('p', 'q', 'r'),
  tier: fc.integer({ min: 0, max: 2 }),
  weight: fc.integer({ min: 1, max: 5 }),
  credentials: fc.integer({ min: 1, max: 3 }),
  images: fc.constantFrom(true, false, undefined),
  isForeign: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  credentialStrategy: fc.constantFrom('order' as const, 'round-robin' as const),
});

const MODEL = fc
  .record({
    targets: fc.array(TARGET, { minLength: 1, maxLength: 5 }),
    strategy: fc.constantFrom('failover' as const, 'round-robin' as const, 'weighted' as const),
    sticky: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ targets, strategy, sticky }): VirtualModel => {
    const made = targets.map(({ provider, credentials, images, isForeign, ...rest }, index) =>
      makeTarget(
        `${provider}/m${index}`,
        {
          ...rest,
          protocol: isForeign ? 'gemini' : 'openai-chat',
          capabilities: images === undefined ? {} : { images },
        },
        ['one', 'two', 'three'].slice(0, credentials),
      ),
    );
    return makeModel(made, { strategy, sticky });
  });

const EVENT = fc.record({
  route: fc.nat(),
  /** Before now, ms. */
  ago: fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 10 * MINUTE })),
  name: fc.constantFrom(...NAMES, 'disable' as const, 'claim' as const),
  told: fc.option(fc.integer({ min: 0, max: MINUTE }), { nil: null }),
});

type Event = {
  readonly route: number;
  readonly ago: number;
  readonly name: FailureName | 'disable' | 'claim';
  readonly told: number | null;
};

function healthAfter(events: readonly Event[], routes: readonly Route[]): HealthState {
  const inOrder = [...events].sort((a, b) => b.ago - a.ago);
  return inOrder.reduce(
    (state, { route: index, ago, name, told }) => {
      const route = routes[index % routes.length];
      if (route === undefined) return state;
      if (name === 'disable') return operate(state, 'disable', route.id, NOW - ago) ?? state;
      if (name === 'claim') return claimTrial(state, route, NOW - ago, HEALTH).state;
      return observe(state, makeObservation(route, NOW - ago, 'failure', { failure: FAILURES[name](told) }), HEALTH);
    },
    retainRoutes(createHealthState(), routes),
  );
}

const WORLD = fc
  .record({
    model: MODEL,
    events: fc.array(EVENT, { maxLength: 30 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    affinity: fc.option(fc.nat(), { nil: null }),
    needsImages: fc.boolean(),
  })
  .map(({ model, events, random, affinity, needsImages }): PlanInput => {
    const routes = model.targets.flatMap((target) => target.routes);
    return {
      request: makeRequest({ needs: needsImages ? ['images'] : [] }),
      model,
      health: healthAfter(events, routes),
      rotation: {},
      affinityRoute: affinity === null ? null : (routes[affinity % routes.length]?.id ?? null),
      now: NOW,
      random,
      baseOrder: null,
    };
  });

const ranked = ({ plan }: ReturnType<typeof planRoute>) => plan.candidates.filter(({ rank }) => rank !== null);

describe('planRoute', () => {
  it('every route is a candidate once: ranked in order, or left out with a word', () => {
    assertProperty(
      fc.property(WORLD, (input) => {
        const planned = planRoute(input);
        const ids = planned.plan.candidates.map(({ route }) => route.id);
        expect([...ids].sort()).toEqual(input.model.targets.flatMap(({ routes }) => routes.map(({ id }) => id)).sort());
        expect(ranked(planned).map(({ rank }) => rank)).toEqual(ranked(planned).map((_one, index) => index + 1));
        planned.plan.candidates.forEach(({ rank, skip, use, reason }, index) => {
          expect(rank === null).toBe(skip !== null);
          expect(use === 'skip').toBe(skip !== null);
          expect(rank === null ? index >= ranked(planned).length : index < ranked(planned).length).toBe(true);
          expect(reason).not.toBe('');
          expect(reason).not.toContain('%');
        });
      }),
    );
  });

  it('tiers are hard; last resorts stand behind them all', () => {
    assertProperty(
      fc.property(WORLD, (input) => {
        const order = ranked(planRoute(input));
        const isLast = order.map(({ availability: { state, until } }) => state === 'deferred' && (until ?? 0) > NOW);
        const firstLast = isLast.indexOf(true);
        const inTiers = firstLast < 0 ? order : order.slice(0, firstLast);
        if (firstLast >= 0) expect(isLast.slice(firstLast).every(Boolean)).toBe(true);
        const tiers = inTiers.map(({ target }) => target.tier);
        expect(tiers).toEqual([...tiers].sort((a, b) => a - b));
      }),
    );
  });

  it('within a tier ready comes before slow before a hold that has passed', () => {
    const place = { ready: 0, half_open: 0, open: 0, slow: 1, deferred: 2, rejected: 9, disabled: 9 };
    assertProperty(
      fc.property(WORLD, (input) => {
        const order = ranked(planRoute(input)).filter(({ use }) => use === 'serve');
        for (const tier of [0, 1, 2]) {
          const places = order.filter(({ target }) => target.tier === tier).map((one) => place[one.availability.state]);
          expect(places).toEqual([...places].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('never into a told hold, a rejection or a disabled route, nor without a claim into a circuit', () => {
    assertProperty(
      fc.property(WORLD, (input) => {
        for (const { route, use } of ranked(planRoute(input))) {
          const seen = availability(input.health, route, NOW);
          expect(['rejected', 'disabled']).not.toContain(seen.state);
          expect(seen.told).toBe(false);
          if (seen.state === 'open' || seen.state === 'half_open') expect(use).toBe('trial');
        }
      }),
    );
  });

  it('an open circuit is tried early only when nothing else is left, and then one', () => {
    assertProperty(
      fc.property(WORLD, (input) => {
        const order = ranked(planRoute(input));
        const isEarly = order.some(({ availability: seen }) => seen.state === 'open');
        expect(isEarly && order.length > 1).toBe(false);
      }),
    );
  });

  it('stays the same when it is made again', () => {
    assertProperty(
      fc.property(WORLD, (input) => {
        const first = planRoute(input);
        const again = planRoute({
          ...input,
          rotation: first.turns.reduce(takeTurn, input.rotation),
          random: 0.5,
          baseOrder: first.baseOrder,
        });
        const ids = ({ plan }: typeof first) => plan.candidates.map(({ route }) => route.id);
        const isEarly = ranked(first).some(({ availability: seen }) => seen.state === 'open');
        if (!isEarly) expect(ids(again)).toEqual(ids(first));
        expect(again.plan.order).toEqual(first.plan.order);
        expect(again.turns).toEqual([]);
        expect(planRoute(input)).toEqual(first);
      }),
    );
  });

  it('a turn is taken only for a route that is really first', () => {
    assertProperty(
      fc.property(WORLD, (input) => {
        const planned = planRoute(input);
        const [first] = ranked(planned);
        for (const { key, choice } of planned.turns) {
          expect(key.startsWith('model:') ? first?.route.target : first?.route.credential).toBe(choice);
        }
      }),
    );
  });

  it('a ready conversation stays where it is', () => {
    assertProperty(
      fc.property(WORLD, (input) => {
        const order = ranked(planRoute(input));
        const home = order.find(({ route }) => route.id === input.affinityRoute);
        if (home?.availability.state !== 'ready') return;
        const inTier = order.filter(({ target }) => target.tier === home.target.tier);
        expect(inTier[0]?.route.id).toBe(home.route.id);
      }),
    );
  });
});
