import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { availability, trialSlot } from '../../src/core/health/availability-of.ts';
import { claimTrial } from '../../src/core/health/claim-trial.ts';
import type { Observation } from '../../src/core/health/observation.ts';
import { observe } from '../../src/core/health/observe.ts';
import { createHealthState, type HealthState, SCOPE_KINDS } from '../../src/core/health/state.ts';
import type { Route } from '../../src/core/routing/candidate.ts';
import { assertProperty } from '../kit/assert-property.ts';
import {
  FAILURES,
  type FailureName,
  HEALTH,
  HOUR,
  MINUTE,
  makeObservation,
  makeRoute,
  SECOND,
  withBreaker,
} from '../kit/health-fixtures.ts';

const ROUTES = [makeRoute('p/a#one'), makeRoute('p/a#two'), makeRoute('p/b#one'), makeRoute('q/a')];
const NAMES = Object.keys(FAILURES) as FailureName[];
const KINDS: readonly Observation['kind'][] = [
  'first_output',
  'success',
  'failure',
  'slow',
  'released',
  'another_answered',
];

/** A step of a random life: some time passes, then something is seen or claimed. */
const STEP = fc.record({
  passes: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 20 * MINUTE })),
  length: fc.integer({ min: 0, max: 3 * MINUTE }),
  route: fc.constantFrom(...ROUTES),
  kind: fc.constantFrom(...KINDS, 'claim' as const),
  failure: fc.constantFrom(...NAMES, null),
  told: fc.option(fc.oneof(fc.integer({ min: -10, max: 2 * HOUR }), fc.constant(Number.NaN)), { nil: null }),
  limit: fc.option(fc.integer({ min: 0, max: 2 * MINUTE }), { nil: null }),
  trial: fc.boolean(),
  turn: fc.constantFrom(null, null, 't1', 't2'),
});

type Step = {
  readonly passes: number;
  readonly length: number;
  readonly route: Route;
  readonly kind: Observation['kind'] | 'claim';
  readonly failure: FailureName | null;
  readonly told: number | null;
  readonly limit: number | null;
  readonly trial: boolean;
  readonly turn: string | null;
};

function live(
  steps: readonly Step[],
  each: (before: HealthState, after: HealthState, now: number, step: Step) => void,
): void {
  let state = createHealthState();
  let now = 0;
  for (const step of steps) {
    now += step.passes;
    const before = state;
    state = step.kind === 'claim' ? claimTrial(state, step.route, now, HEALTH).state : seen(state, step, now);
    each(before, state, now, step);
  }
}

function seen(state: HealthState, step: Step, now: number): HealthState {
  if (step.kind === 'claim') return state;
  const { route, kind, length, told, limit, trial, turn } = step;
  const failure = step.failure === null ? null : FAILURES[step.failure](told);
  const more = { startedAt: now - length, failure, limitMs: limit, ownLimitMs: MINUTE, trial, turn };
  return observe(state, makeObservation(route, now, kind, more), HEALTH);
}

const LIVES = fc.array(STEP, { maxLength: 60 });

describe('health', () => {
  it('is total and plain: whatever is seen, the state survives JSON and every route has a word', () => {
    assertProperty(
      fc.property(LIVES, (steps) => {
        live(steps, (_before, after, now) => {
          expect(JSON.parse(JSON.stringify(after))).toEqual(after);
          for (const route of ROUTES) {
            const { state, until, since } = availability(after, route, now);
            if (state === 'open' || state === 'rejected') expect(until).toBeGreaterThan(now);
            if (state === 'deferred') expect(until).not.toBeNull();
            if (state !== 'ready') expect(since).toBeLessThanOrEqual(now);
          }
        });
      }),
    );
  });

  it('never changes a state that somebody holds', () => {
    assertProperty(
      fc.property(LIVES, (steps) => {
        live(steps, (before, after, now, step) => {
          const copy = JSON.stringify(after);
          seen(after, step, now + 1);
          claimTrial(after, step.route, now + 1, HEALTH);
          expect(JSON.stringify(after)).toBe(copy);
          expect(before).toBeDefined();
        });
      }),
    );
  });

  it('no failure shortens a hold', () => {
    assertProperty(
      fc.property(LIVES, (steps) => {
        live(steps, (before, after, now, step) => {
          if (step.kind !== 'failure') return;
          for (const kind of SCOPE_KINDS) {
            for (const [id, { hold }] of Object.entries(before.scopes[kind])) {
              if (hold === null || hold.until <= now) continue;
              const next = after.scopes[kind][id]?.hold ?? null;
              expect(next?.until).toBeGreaterThanOrEqual(hold.until);
              if (hold.toldUntil !== null) expect(next?.toldUntil).toBeGreaterThanOrEqual(hold.toldUntil);
            }
          }
        });
      }),
    );
  });

  it('a server’s word is kept until it is over, whatever else is seen', () => {
    assertProperty(
      fc.property(fc.integer({ min: SECOND, max: HOUR }), LIVES, (told, steps) => {
        const [route] = ROUTES;
        if (route === undefined) return;
        const failure = FAILURES.rateLimited(told);
        let state = observe(createHealthState(), makeObservation(route, 0, 'failure', { failure }), HEALTH);
        let now = 0;
        for (const step of steps) {
          now += step.passes;
          if (now >= told) return;
          state = seen(state, step, now);
          expect(['deferred', 'rejected', 'open', 'disabled']).toContain(availability(state, route, now).state);
        }
      }),
    );
  });

  it('nothing is out for good: a day after the last event every route can be asked, by a claim at most', () => {
    assertProperty(
      fc.property(LIVES, (steps) => {
        let last: HealthState = createHealthState();
        let end = 0;
        live(steps, (_before, after, now) => {
          last = after;
          end = now + 25 * HOUR;
        });
        for (const route of ROUTES) {
          expect(['ready', 'half_open']).toContain(availability(last, route, end).state);
          expect(trialSlot(last, route, end)).not.toBe('taken');
          expect(claimTrial(last, route, end, HEALTH).granted).toBe(true);
        }
      }),
    );
  });

  it('never more claims than the ramp allows', () => {
    assertProperty(
      fc.property(LIVES, (steps) => {
        live(steps, (_before, after, now) => {
          for (const kind of ['route', 'endpoint'] as const) {
            for (const { circuit } of Object.values(after.scopes[kind])) {
              const claims = circuit.open?.claims.filter(({ expiresAt }) => expiresAt > now).length ?? 0;
              expect(claims).toBeLessThanOrEqual(2 ** (circuit.open?.rung ?? 0));
            }
          }
        });
      }),
    );
  });
});

describe('circuits', () => {
  it('a half-open one admits exactly one of n at the same time', () => {
    assertProperty(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 10_000, max: HOUR }), (count, now) => {
        const [route] = ROUTES;
        if (route === undefined) return;
        const failure = FAILURES.serverError();
        let state = observe(
          createHealthState(),
          makeObservation(route, 0, 'failure', { failure }),
          withBreaker({ failures: 1 }),
        );
        let granted = 0;
        for (let n = 0; n < count; n += 1) {
          const claim = claimTrial(state, route, now, HEALTH);
          state = claim.state;
          if (claim.granted) granted += 1;
        }
        expect(granted).toBe(1);
      }),
    );
  });

  it('opens at exactly the failure whose weight reaches the threshold', () => {
    const failures = fc.array(fc.constantFrom<FailureName>('serverError', 'cut', 'timeout', 'connect', 'badRequest'), {
      maxLength: 12,
    });
    assertProperty(
      fc.property(failures, fc.integer({ min: 1, max: 8 }), (names, threshold) => {
        const [route] = ROUTES;
        if (route === undefined) return;
        let state = createHealthState();
        let weight = 0;
        names.forEach((name, index) => {
          const failure = FAILURES[name]();
          const wasOpen = weight >= threshold;
          if (!wasOpen) weight += failure.weight;
          state = observe(
            state,
            makeObservation(route, index, 'failure', { failure }),
            withBreaker({ failures: threshold }),
          );
          expect(state.scopes.route[route.id]?.circuit.open !== null).toBe(weight >= threshold);
        });
      }),
    );
  });

  it('ends of attempts that were sent before it opened change nothing', () => {
    assertProperty(
      fc.property(fc.constantFrom(...KINDS), fc.constantFrom(...NAMES), fc.boolean(), (kind, name, trial) => {
        const [route] = ROUTES;
        if (route === undefined) return;
        const settings = withBreaker({ failures: 1 });
        const first = makeObservation(route, 100, 'failure', { failure: FAILURES.serverError() });
        const open = observe(createHealthState(), first, settings);
        const late = makeObservation(route, 200, kind, { startedAt: 50, failure: FAILURES[name](), trial });
        const circuit = (state: HealthState) => state.scopes.route[route.id]?.circuit;
        expect(circuit(observe(open, late, settings))).toEqual(circuit(open));
      }),
    );
  });
});
