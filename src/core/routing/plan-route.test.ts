import { describe, expect, it } from 'vitest';
import {
  FAILURES,
  type FailureName,
  HEALTH,
  MINUTE,
  makeModel,
  makeObservation,
  makeRequest,
  makeRoute,
  makeTarget,
  SECOND,
  withBreaker,
} from '../../../test/kit/health-fixtures.ts';
import { claimTrial } from '../health/claim-trial.ts';
import { observe } from '../health/observe.ts';
import { operate } from '../health/operate.ts';
import { createHealthState, type HealthState } from '../health/state.ts';
import type { Route } from './candidate.ts';
import { type PlanInput, planRoute } from './plan-route.ts';
import { type RotationTable, returnTurn, takeTurn } from './rotation.ts';

const [A, B, C] = [makeTarget('p/a'), makeTarget('q/b'), makeTarget('r/c')];
const MODEL = makeModel([A, B, C]);
const ONCE = withBreaker({ failures: 1 });

function plan(change: Partial<PlanInput> = {}) {
  return planRoute({
    request: makeRequest(),
    model: MODEL,
    health: createHealthState(),
    rotation: {},
    affinityRoute: null,
    now: 0,
    random: 0,
    baseOrder: null,
    ...change,
  });
}

const order = (planned: ReturnType<typeof plan>) =>
  planned.plan.candidates.flatMap(({ rank, use, route }) =>
    rank === null ? [] : [`${route.id.split('#')[0]} ${use}`],
  );

const skips = (planned: ReturnType<typeof plan>) =>
  planned.plan.candidates.flatMap(({ skip, route }) => (skip === null ? [] : [`${route.id.split('#')[0]} ${skip}`]));

function seen(
  ...failures: readonly (readonly [Route | string, FailureName, at?: number, told?: number])[]
): HealthState {
  return failures.reduce((state, [route, name, at = 0, told]) => {
    const of = typeof route === 'string' ? makeRoute(route) : route;
    return observe(state, makeObservation(of, at, 'failure', { failure: FAILURES[name](told ?? null) }), ONCE);
  }, createHealthState());
}

describe('order of service', () => {
  it('the order of the configuration while all are ready', () => {
    expect(order(plan())).toEqual(['p/a serve', 'q/b serve', 'r/c serve']);
    expect(plan().plan.candidates.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });

  it('ready, then slow, then a hold that has passed', () => {
    let health = seen(['p/a', 'rateLimited', 0, 5 * SECOND]);
    health = observe(
      health,
      makeObservation(makeRoute('q/b'), 0, 'failure', { startedAt: -MINUTE, failure: FAILURES.timeout() }),
      HEALTH,
    );
    expect(order(plan({ health, now: 6 * SECOND }))).toEqual(['r/c serve', 'q/b serve', 'p/a serve']);
  });

  it('guessed rate limits are the last resort, behind the last tier and by their end', () => {
    const model = makeModel([A, B, makeTarget('r/c', { tier: 1 })]);
    const health = seen(['q/b', 'rateLimited', 0], ['p/a', 'rateLimited', 1]);
    expect(order(plan({ model, health, now: 2 }))).toEqual(['r/c serve', 'q/b last_resort', 'p/a last_resort']);
  });

  it('told holds, rejected, open and disabled ones are left out, each with its word', () => {
    let health = seen(['p/a', 'rateLimited', 0, 9 * SECOND], ['q/b', 'auth'], ['r/c', 'serverError']);
    expect(skips(plan({ health, model: makeModel([A, B, C, makeTarget('s/d')]) }))).toEqual([
      'p/a skipped_cooldown',
      'q/b skipped_cooldown',
      'r/c skipped_circuit',
    ]);
    health = operate(health, 'disable', 'p/a#default', 0) ?? health;
    expect(skips(plan({ health }))).toContain('p/a skipped_disabled');
  });

  it('tiers are hard, whatever the order in the file and the readiness', () => {
    const model = makeModel([makeTarget('r/c', { tier: 1 }), A, B]);
    const slow = observe(
      createHealthState(),
      makeObservation(makeRoute('p/a'), 0, 'failure', { startedAt: -MINUTE, failure: FAILURES.timeout() }),
      HEALTH,
    );
    expect(order(plan({ model, health: slow }))).toEqual(['q/b serve', 'p/a serve', 'r/c serve']);
  });

  it('each credential is a route of its own, in the order of its pool', () => {
    const model = makeModel([makeTarget('p/a', {}, ['one', 'two']), B]);
    const ids = plan({ model }).plan.candidates.map(({ route }) => route.id);
    expect(ids).toEqual(['p/a#one', 'p/a#two', 'q/b#default']);
    const held = plan({ model, health: seen(['p/a#one', 'auth']) }).plan.candidates;
    expect(held.map(({ route, skip }) => `${route.id} ${skip}`)).toEqual([
      'p/a#two null',
      'q/b#default null',
      'p/a#one skipped_cooldown',
    ]);
  });
});

describe('what a target cannot do', () => {
  const deaf = makeTarget('q/b', { capabilities: { images: false, contextWindow: 1000 } });
  const model = makeModel([A, deaf]);

  it('a missing feature, named', () => {
    const planned = plan({ model, request: makeRequest({ needs: ['images', 'tools'] }) });
    expect(skips(planned)).toEqual(['q/b skipped_capability']);
    expect(planned.plan.missing).toEqual(['images']);
  });

  it('a learnt one, unless the configuration knows better', () => {
    const health = seen(['p/a', 'noImages'], ['r/c', 'noImages']);
    const sure = makeTarget('r/c', { capabilities: { images: true } });
    const planned = plan({ model: makeModel([A, sure]), health, request: makeRequest({ needs: ['images'] }) });
    expect(skips(planned)).toEqual(['p/a skipped_capability']);
    expect(order(planned)).toEqual(['r/c serve']);
  });

  it('a window that is plainly too small, and not one that is only close', () => {
    expect(skips(plan({ model, request: makeRequest({ estimatedInputTokens: 1500 }) }))).toEqual([]);
    expect(skips(plan({ model, request: makeRequest({ estimatedInputTokens: 1501 }) }))).toEqual([
      'q/b skipped_capability',
    ]);
  });

  it('another protocol', () => {
    const other = makeTarget('q/b', { protocol: 'anthropic-messages' });
    const planned = plan({ model: makeModel([A, other]) });
    expect(skips(planned)).toEqual(['q/b skipped_capability']);
    expect(planned.plan.candidates[1]?.reason).toContain('translation from openai-chat to anthropic-messages');
  });
});

describe('trials', () => {
  const NOW = 10 * SECOND;

  it('a circuit whose time has passed stands at its place, for one request', () => {
    const health = seen(['p/a', 'serverError']);
    expect(order(plan({ health, now: NOW }))).toEqual(['p/a trial', 'q/b serve', 'r/c serve']);
    const { state } = claimTrial(health, makeRoute('p/a'), NOW, ONCE);
    expect(skips(plan({ health: state, now: NOW }))).toEqual(['p/a skipped_circuit']);
  });

  it('all open: the one that failed longest ago opens early, and only one at a time', () => {
    const health = seen(['q/b', 'serverError', 0], ['p/a', 'serverError', 1], ['r/c', 'serverError', 2]);
    const first = plan({ health, now: 3 });
    expect(order(first)).toEqual(['q/b trial']);
    expect(skips(first)).toEqual(['p/a skipped_circuit', 'r/c skipped_circuit']);
    const { state } = claimTrial(health, makeRoute('q/b'), 3, ONCE);
    const second = plan({ health: state, now: 4 });
    expect(order(second)).toEqual([]);
    expect(second.plan.candidates.map(({ availability }) => availability.until)).toContain(10 * SECOND);
  });

  it('not early while a trial is under way, though its ramp has places', () => {
    const route = makeRoute('p/a');
    const open = seen(['p/a', 'serverError', 0], ['q/b', 'serverError', 10 * SECOND]);
    const trial = { startedAt: 10 * SECOND, trial: true };
    let state = claimTrial(open, route, 10 * SECOND, ONCE).state;
    for (const kind of ['first_output', 'released'] as const) {
      state = observe(state, makeObservation(route, 10 * SECOND + 1, kind, trial), ONCE);
    }
    const limited = { failure: FAILURES.rateLimited(60 * SECOND) };
    const held = observe(state, makeObservation(route, 10 * SECOND + 2, 'failure', limited), ONCE);
    const model = makeModel([A, B]);
    expect(order(plan({ model, health: held, now: 11 * SECOND }))).toEqual(['q/b trial']);
    const claimed = claimTrial(held, route, 10 * SECOND + 3, ONCE).state;
    expect(order(plan({ model, health: claimed, now: 11 * SECOND }))).toEqual([]);
  });

  it('not early while another may serve, if only as a last resort, nor for repeats of the same request', () => {
    const health = seen(['p/a', 'serverError'], ['q/b', 'serverError'], ['r/c', 'rateLimited']);
    expect(order(plan({ health, now: 1 }))).toEqual(['r/c last_resort']);
    const model = makeModel([A]);
    expect(order(plan({ health, now: 1, model }))).toEqual(['p/a trial']);
    expect(order(plan({ health, now: 1, model, baseOrder: ['p/a#default'] }))).toEqual([]);
  });

  it('never into a told hold, nor where a capability is missing', () => {
    const model = makeModel([A]);
    const both = seen(['p/a', 'rateLimited', 0, 5 * SECOND], ['p/a', 'serverError', 1]);
    expect(skips(plan({ model, health: both, now: 2 }))).toEqual(['p/a skipped_cooldown']);
    const health = seen(['p/a', 'serverError']);
    const request = makeRequest({ protocol: 'anthropic-messages' });
    expect(skips(plan({ model, health, request, now: 2 }))).toEqual(['p/a skipped_capability']);
  });

  it('a last resort whose circuit is half-open needs the claim too', () => {
    const health = seen(['p/a', 'serverError', 0], ['p/a', 'rateLimited', 9 * SECOND]);
    expect(order(plan({ model: makeModel([A]), health, now: NOW }))).toEqual(['p/a trial']);
  });
});

describe('rotation and affinity', () => {
  const weights = makeModel([makeTarget('p/a', { weight: 2 }), B], { strategy: 'round-robin' });
  const first = (planned: ReturnType<typeof plan>) => planned.plan.candidates[0]?.route.target;

  it('turns only when the turn is taken', () => {
    let rotation: RotationTable = {};
    const served: (string | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) {
      expect(first(plan({ model: weights, rotation }))).toBe(first(plan({ model: weights, rotation })));
      const planned = plan({ model: weights, rotation });
      served.push(first(planned));
      rotation = planned.turns.reduce(takeTurn, rotation);
    }
    expect(served).toEqual(['p/a', 'q/b', 'p/a', 'p/a', 'q/b', 'p/a']);
    const planned = plan({ model: weights, rotation });
    const taken = planned.turns.reduce(takeTurn, rotation);
    const back = planned.turns.reduce(returnTurn, taken);
    expect(first(plan({ model: weights, rotation: back }))).toBe(first(planned));
  });

  it('is between the best of the leading tier', () => {
    const health = seen(['p/a', 'auth']);
    const planned = plan({ model: weights, health });
    expect(first(planned)).toBe('q/b');
    expect(planned.turns).toEqual([]);
  });

  it('only where it chose: in the leading tier, and in the pool of the first target', () => {
    const pool = { credentialStrategy: 'round-robin' } as const;
    const targets = [
      makeTarget('p/a', pool, ['one', 'two']),
      makeTarget('q/b', pool, ['one', 'two']),
      makeTarget('r/c', { tier: 1 }),
      makeTarget('s/d', { tier: 1 }),
    ];
    const planned = plan({ model: makeModel(targets, { strategy: 'round-robin' }) });
    expect(planned.turns.map(({ key, choice }) => `${key} ${choice}`)).toEqual(['model:main p/a', 'pool:p one']);
  });

  it('an earlier plan’s order stands, and no wheel turns', () => {
    const planned = plan({ model: weights });
    const again = plan({ model: weights, baseOrder: planned.baseOrder });
    expect(again.plan.candidates.map(({ route }) => route.id)).toEqual(planned.baseOrder);
    expect(again.turns).toEqual([]);
  });

  it('pools of credentials turn too', () => {
    const pool = makeTarget('p/a', { credentialStrategy: 'round-robin' }, ['one', 'two', 'three']);
    let rotation: RotationTable = {};
    const names: (string | undefined)[] = [];
    for (let n = 0; n < 4; n += 1) {
      const planned = plan({ model: makeModel([pool, B]), rotation });
      names.push(planned.plan.candidates[0]?.route.credential);
      rotation = planned.turns.reduce(takeTurn, rotation);
    }
    expect(names).toEqual(['one', 'two', 'three', 'one']);
  });

  it('a conversation stays on its route while that is ready, without a turn', () => {
    const planned = plan({ model: weights, affinityRoute: 'q/b#default' });
    expect(order(planned)).toEqual(['q/b serve', 'p/a serve']);
    expect(planned.turns).toEqual([]);
    expect(planned.plan.order).toEqual(['q/b', 'p/a']);
    const slow = seen(['q/b', 'rateLimited', 0, SECOND]);
    expect(first(plan({ model: weights, affinityRoute: 'q/b#default', health: slow, now: SECOND }))).toBe('p/a');
    expect(first(plan({ model: { ...weights, affinity: false }, affinityRoute: 'q/b#default' }))).toBe('p/a');
    const tiers = makeModel([A, makeTarget('q/b', { tier: 1 })]);
    expect(first(plan({ model: tiers, affinityRoute: 'q/b#default' }))).toBe('p/a');
  });

  it('weighted: by chance, each target once', () => {
    const model = makeModel([makeTarget('p/a', { weight: 3 }), B, C], { strategy: 'weighted' });
    expect(first(plan({ model, random: 0.59 }))).toBe('p/a');
    expect(first(plan({ model, random: 0.61 }))).toBe('q/b');
    expect(first(plan({ model, random: 0.99 }))).toBe('r/c');
    expect(plan({ model, random: 0.99 }).plan.candidates).toHaveLength(3);
  });
});

describe('targets of other protocols', () => {
  const foreign = (id: string, translate: 'in-order' | 'last' | 'never') =>
    makeTarget(id, { protocol: 'anthropic-messages', settings: { ...A.settings, translate } });
  const planWith = (translate: 'in-order' | 'last' | 'never', change: Partial<PlanInput> = {}) =>
    plan({ model: makeModel([foreign('x/f', translate), A, B]), translation: () => [], ...change });

  it('stand where they are listed', () => {
    expect(order(planWith('in-order'))).toEqual(['x/f serve', 'p/a serve', 'q/b serve']);
  });

  it('stand behind equally ready ones of the client’s protocol, in the same tier', () => {
    expect(order(planWith('last'))).toEqual(['p/a serve', 'q/b serve', 'x/f serve']);
    const lower = { ...A, tier: 1 };
    expect(order(planWith('last', { model: makeModel([foreign('x/f', 'last'), lower]) }))).toEqual([
      'x/f serve',
      'p/a serve',
    ]);
    const slow = seen(['p/a', 'timeout'], ['q/b', 'timeout']);
    expect(order(planWith('last', { health: slow, now: 1 }))[0]).toBe('x/f serve');
  });

  it('take no turn of the wheel while others of the client’s protocol are ready', () => {
    const model = { ...makeModel([foreign('x/f', 'last'), A, B]), strategy: 'round-robin' as const };
    const first = planWith('last', { model });
    expect(first.turns.map(({ weights }) => Object.keys(weights ?? {}))).toEqual([['p/a', 'q/b']]);
  });

  it('are left out where nothing is to be translated, or can be', () => {
    expect(skips(planWith('never'))).toEqual(['x/f skipped_capability']);
    const planned = planWith('in-order', { translation: () => ['server tools in Messages'] });
    expect(skips(planned)).toEqual(['x/f skipped_capability']);
    expect(planned.plan.missing).toEqual(['server tools in Messages']);
  });

  it('are left out for the while where the gateway itself can’t translate now, save for what else they lack', () => {
    const translation = () => ({ untranslated: 'translation (busy)' });
    const planned = planWith('in-order', { translation });
    expect(skips(planned)).toEqual(['x/f skipped_busy']);
    const [candidate] = planned.plan.candidates.filter(({ skip }) => skip !== null);
    expect(candidate).toMatchObject({ lacks: ['translator'], reason: 'left out: it lacks translation (busy)' });
    const blind = { ...foreign('x/f', 'in-order'), capabilities: { images: false } };
    const model = makeModel([blind, A]);
    const lacking = planWith('in-order', { model, translation, request: makeRequest({ needs: ['images'] }) });
    expect(skips(lacking)).toEqual(['x/f skipped_capability']);
  });
});

describe('whose the trial of an open circuit is', () => {
  const opened = seen(['p/a', 'serverError', 0]);
  const halfOpen = { health: opened, now: 10 * SECOND };

  it('a prober makes it while another route is ready', () => {
    expect(order(plan({ ...halfOpen, trials: 'prober' }))).toEqual(['q/b serve', 'r/c serve', 'p/a trial']);
    expect(order(plan({ ...halfOpen, trials: 'anybody' }))[0]).toBe('p/a trial');
  });

  it('a client makes it where nothing else is ready, or where no probe has come in time', () => {
    const model = makeModel([A]);
    expect(order(plan({ ...halfOpen, model, trials: 'prober' }))).toEqual(['p/a trial']);
    expect(order(plan({ ...halfOpen, now: 15 * SECOND - 1, trials: 'prober' })).at(-1)).toBe('p/a trial');
    expect(order(plan({ ...halfOpen, now: 15 * SECOND, trials: 'prober' }))[0]).toBe('p/a trial');
  });

  it('a request that all others have failed has it too, behind later tiers and before guessed holds', () => {
    const later = makeTarget('s/d', { tier: 1 });
    const model = makeModel([A, B, later]);
    const health = observe(
      opened,
      makeObservation(makeRoute('q/b'), 9 * SECOND, 'failure', { failure: FAILURES.rateLimited(null) }),
      ONCE,
    );
    expect(order(plan({ ...halfOpen, health, model, trials: 'prober' }))).toEqual([
      's/d serve',
      'p/a trial',
      'q/b last_resort',
    ]);
  });

  it('the ramp behind a proved trial is for clients', () => {
    const route = makeRoute('p/a');
    const claimed = claimTrial(opened, route, 10 * SECOND, ONCE).state;
    const at = makeObservation(route, 10 * SECOND, 'first_output', { trial: true, probe: true });
    const health = observe(claimed, at, ONCE);
    expect(order(plan({ health, now: 10 * SECOND, trials: 'prober' }))[0]).toBe('p/a trial');
  });

  it('a probe opens nothing early', () => {
    const model = makeModel([A]);
    expect(order(plan({ health: opened, now: 1, model, trials: 'anybody' }))).toEqual(['p/a trial']);
    expect(order(plan({ health: opened, now: 1, model, trials: 'itself' }))).toEqual([]);
    expect(order(plan({ ...halfOpen, model, trials: 'itself' }))).toEqual(['p/a trial']);
  });
});

describe('a target out of a catalogue', () => {
  const listed = makeTarget('p/a', { catalogue: { isFree: true } });
  const model = makeModel([listed, B, makeTarget('r/c', { tier: 1 })]);

  it('stands behind the proved and the configured ones of its tier until it has answered', () => {
    expect(order(plan({ model }))).toEqual(['q/b serve', 'p/a serve', 'r/c serve']);
    const health = observe(createHealthState(), makeObservation(makeRoute('p/a'), 0, 'success'), HEALTH);
    expect(order(plan({ model, health }))).toEqual(['p/a serve', 'q/b serve', 'r/c serve']);
  });
});
