import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PROBE } from '../../src/config/defaults.ts';
import { availability } from '../../src/core/health/availability-of.ts';
import { observe } from '../../src/core/health/observe.ts';
import { operate } from '../../src/core/health/operate.ts';
import { retainRoutes } from '../../src/core/health/retain-routes.ts';
import { createHealthState, type HealthState } from '../../src/core/health/state.ts';
import { buildReport, countProved } from '../../src/core/readiness/build-report.ts';
import { createRound } from '../../src/core/readiness/create-round.ts';
import { nextProbes } from '../../src/core/readiness/next-probes.ts';
import { noteResult } from '../../src/core/readiness/note-result.ts';
import type { ProbeOrder, ProbeResult, Round } from '../../src/core/readiness/round.ts';
import { standingOf } from '../../src/core/readiness/standing.ts';
import type { Route, Target, VirtualModel } from '../../src/core/routing/candidate.ts';
import { assertProperty } from '../kit/assert-property.ts';
import {
  FAILURES,
  type FailureName,
  HEALTH,
  MINUTE,
  makeModel,
  makeObservation,
  makeTarget,
  SECOND,
} from '../kit/health-fixtures.ts';

const NOW = 1_700_000_000_000;

const TARGET = fc
  .record({
    provider: fc.constantFrom('p', 'q', 'r'),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    tier: fc.integer({ min: 0, max: 2 }),
    keys: fc.subarray(['k1', 'k2', 'k3'], { minLength: 1 }),
    catalogue: fc.constantFrom(undefined, undefined, { isFree: true }, { isFree: false }),
    isAccountWide: fc.boolean(),
  })
  .map(({ provider, name, tier, keys, catalogue, isAccountWide }): Target => {
    const change = catalogue === undefined ? { tier } : { tier, catalogue };
    const target = makeTarget(`${provider}/${name}`, change, keys);
    return { ...target, routes: target.routes.map((route) => ({ ...route, accountWideLimit: isAccountWide })) };
  });

const TARGETS = fc.uniqueArray(TARGET, { maxLength: 8, selector: ({ id }) => id });
const NAMES = Object.keys(FAILURES) as FailureName[];

/** What was seen of some route, so long before. */
const SEEN = fc.record({
  route: fc.nat(),
  agoMs: fc.integer({ min: 0, max: 40 * MINUTE }),
  kind: fc.constantFrom('success', 'failure', 'slow', 'disable'),
  failure: fc.constantFrom(...NAMES),
  told: fc.option(fc.integer({ min: 0, max: 2 * MINUTE }), { nil: null }),
  probe: fc.boolean(),
});

const RESULT = fc.record({
  kind: fc.constantFrom('ready', 'ready', 'slow', 'rejected', 'deferred', 'limited', 'hidden', 'unsent'),
  told: fc.boolean(),
  waitMs: fc.integer({ min: 1, max: 2 * MINUTE }),
  lengthMs: fc.integer({ min: 0, max: 20 * SECOND }),
  tokens: fc.option(fc.integer({ min: 0, max: 200 }), { nil: null }),
});

const WORLD = fc.record({
  targets: TARGETS,
  others: fc.array(fc.nat(), { maxLength: 4 }),
  life: fc.array(SEEN, { maxLength: 25 }),
  results: fc.array(RESULT, { minLength: 1, maxLength: 30 }),
  targetReady: fc.integer({ min: 1, max: 8 }),
  maxProbes: fc.integer({ min: 0, max: 20 }),
  maxTokens: fc.integer({ min: 0, max: 4000 }),
  maxEscalations: fc.integer({ min: 0, max: 3 }),
  priced: fc.boolean(),
  stopAfter: fc.integer({ min: 0, max: 60 }),
});

type World = typeof WORLD extends fc.Arbitrary<infer T> ? T : never;

const routesOf = (models: readonly VirtualModel[]): readonly Route[] =>
  models.flatMap(({ targets }) => targets.flatMap(({ routes }) => routes));

function modelsOf({ targets, others }: World): readonly VirtualModel[] {
  const shared = [...new Set(others)].flatMap((n) => targets[n % Math.max(1, targets.length)] ?? []);
  return [makeModel(targets, { name: 'main' }), makeModel([...new Set(shared)], { name: 'other' })];
}

function healthOf({ life }: World, routes: readonly Route[]): HealthState {
  let state = retainRoutes(createHealthState(), routes);
  for (const { route: n, agoMs, kind, failure, told, probe } of [...life].sort((a, b) => b.agoMs - a.agoMs)) {
    const route = routes[n % Math.max(1, routes.length)];
    if (route === undefined) continue;
    const at = NOW - agoMs;
    if (kind === 'disable') state = operate(state, 'disable', route.id, at) ?? state;
    else {
      const seen = { failure: kind === 'failure' ? FAILURES[failure](told) : null, probe, startedAt: at - 1000 };
      state = observe(state, makeObservation(route, at, kind, seen), HEALTH);
    }
  }
  return state;
}

const settingsOf = ({ targetReady, maxProbes, maxTokens, maxEscalations, priced }: World) => ({
  ...DEFAULT_PROBE,
  targetReady,
  maxProbes,
  maxTokens,
  maxEscalations,
  priced,
});

const RESULTS: Readonly<Record<string, Partial<ProbeResult>>> = {
  ready: {},
  slow: { state: 'slow' },
  rejected: { state: 'rejected' },
  deferred: { state: 'open' },
  limited: { state: 'deferred' },
  hidden: { lacksRoom: true },
  unsent: { state: null },
};

type Played = {
  readonly round: Round;
  readonly now: number;
  readonly turns: number;
  readonly models: readonly VirtualModel[];
};

/** Plays a round, or the beginning of one, over a world that stands still; `each` sees it after every step. */
function playRound(
  world: World,
  each: (round: Round, underway: readonly ProbeOrder[]) => void,
): Played & { readonly health: HealthState } {
  const models = modelsOf(world);
  const health = healthOf(world, routesOf(models));
  const settings = settingsOf(world);
  const listed = new Map(
    models.flatMap(({ targets }) =>
      targets.flatMap((target) => target.routes.map((route) => [route.id, { target, route }] as const)),
    ),
  );
  let now = NOW;
  const standing = (one: { readonly target: Target; readonly route: Route }) => standingOf(health, one, settings, now);
  const view = {
    standing: (id: string) => {
      const one = listed.get(id);
      return one === undefined ? ({ word: 'held' } as const) : standing(one);
    },
    isBusy: () => false,
    room: () => Number.POSITIVE_INFINITY,
  };
  let round = createRound({ models, settings, standing, now, endsAt: now + MINUTE });
  const underway: (ProbeOrder & { readonly endsAt: number; readonly result: ProbeResult })[] = [];
  let turns = 0;
  for (let n = 0; turns < world.stopAfter; turns++) {
    const turn = nextProbes(round, now, view);
    round = turn.round;
    for (const order of turn.start) {
      const drawn = world.results[n++ % world.results.length];
      if (drawn === undefined) continue;
      const { kind, told, waitMs, lengthMs, tokens } = drawn;
      const limited = kind === 'limited' ? { until: now + lengthMs + waitMs, told } : null;
      const base: ProbeResult = { state: 'ready', status: 200, latencyMs: lengthMs, tokens, lacksRoom: false, limited };
      underway.push({ ...order, endsAt: now + lengthMs, result: { ...base, ...RESULTS[kind] } });
    }
    each(round, underway);
    if (turn.wakeAt === null && underway.length === 0) break;
    const first = [...underway].sort((a, b) => a.endsAt - b.endsAt)[0];
    now = Math.max(now, Math.min(turn.wakeAt ?? Number.POSITIVE_INFINITY, first?.endsAt ?? Number.POSITIVE_INFINITY));
    if (first === undefined || first.endsAt > now) continue;
    underway.splice(underway.indexOf(first), 1);
    round = noteResult(round, first.route, first.result, now).round;
    each(round, underway);
  }
  return { round, now, turns, models, health };
}

describe('a round', () => {
  it('asks one at a time of a credential, nobody twice but for more room, and never beyond its budgets', () => {
    assertProperty(
      fc.property(WORLD, (world) => {
        playRound(world, (round, underway) => {
          const { candidates, settings, probes, tokens } = round;
          const asking = candidates.filter(({ phase }) => phase === 'underway');
          expect(new Set(asking.map(({ account }) => account)).size).toBe(asking.length);
          expect(asking.map(({ route }) => route).sort()).toEqual(underway.map(({ route }) => route).sort());
          expect(new Set(candidates.map(({ route }) => route)).size).toBe(candidates.length);
          expect(probes).toBeLessThanOrEqual(settings.maxProbes);
          expect(probes).toBe(candidates.reduce((sum, { attempts }) => sum + attempts, 0));
          // What is reported may be more than what was set aside for it, of those that were under way at once.
          expect(tokens).toBeLessThanOrEqual(settings.maxTokens + 200 * Math.max(1, probes));
          for (const { attempts, phase } of candidates)
            expect(attempts).toBeLessThanOrEqual(phase === 'waiting' || phase === 'left' ? 0 : 2);
          for (const { escalations } of Object.values(round.accounts)) {
            expect(escalations.used).toBeLessThanOrEqual(settings.maxEscalations);
            expect(escalations.used).toBeGreaterThanOrEqual(0);
          }
        });
      }),
      300,
    );
  });

  it('has an end, and with probes unspent leaves nobody out but those whom a server or the clock keeps', () => {
    assertProperty(
      fc.property(WORLD, (given) => {
        const world = { ...given, stopAfter: 500, maxProbes: 100, maxTokens: 1_000_000 };
        const { round, now, turns } = playRound(world, () => {});
        expect(turns).toBeLessThan(500);
        expect(round.end).not.toBeNull();
        expect(round.candidates.every(({ phase }) => phase !== 'underway' && phase !== 'escalation_due')).toBe(true);
        if (round.end === 'max_time' || now >= round.endsAt) return;
        const isMet = (model: string): boolean => (round.ready[model] ?? 0) >= round.settings.targetReady;
        const left = round.candidates.filter(({ phase }) => phase === 'waiting');
        expect(left.filter(({ models }) => !models.every(isMet))).toEqual([]);
      }),
      300,
    );
  });
});

describe('a report', () => {
  it('adds up in any world, and never calls ready what was not seen to be', () => {
    assertProperty(
      fc.property(WORLD, fc.integer({ min: 0, max: 30 * MINUTE }), fc.boolean(), (world, laterMs, hasRound) => {
        const { round, models, health, ...played } = playRound(world, () => {});
        const now = played.now + laterMs;
        const settings = settingsOf(world);
        const rounds = new Map(hasRound ? models.map(({ name }): [string, Round] => [name, round]) : []);
        const given = { now, health, settings, rounds, providers: [] };
        const report = buildReport({ ...given, models });
        for (const [n, one] of report.models.entries()) {
          const routes = routesOf(models.slice(n, n + 1));
          expect(one.candidates).toBe(one.probed + one.unreached + one.postponed);
          expect(one.probed).toBe(one.ready + one.slow + one.deferred + one.rejected);
          expect(one.routes).toHaveLength(one.candidates);
          for (const state of ['ready', 'slow', 'deferred', 'rejected', 'postponed', 'unreached'] as const)
            expect(one.routes.filter((route) => route.state === state)).toHaveLength(one[state]);
          expect(routes.length - one.candidates).toBe(
            routes.filter((route) => availability(health, route, now).state === 'disabled').length,
          );
          const answered = new Set(
            Object.entries(health.scopes.route).flatMap(([id, { provedAt }]) =>
              provedAt !== null && provedAt >= now - 2 * settings.everyMs ? [id] : [],
            ),
          );
          for (const { route, state } of one.routes) if (state === 'ready') expect(answered.has(route)).toBe(true);
          expect(one.ready + one.slow).toBe(countProved(models[n] as VirtualModel, given));
          expect(one.warnings.length > 0).toBe(one.endpoints <= 1 || one.credentials <= 1);
          const { used, denied, budget } = one.escalations;
          expect(used).toBeLessThanOrEqual(budget);
          expect(denied).toBeGreaterThanOrEqual(0);
        }
      }),
      300,
    );
  });
});
