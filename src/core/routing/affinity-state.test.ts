import { describe, expect, it } from 'vitest';
import {
  FAILURES,
  HEALTH,
  makeModel,
  makeObservation,
  makeRequest,
  makeTarget,
} from '../../../test/kit/health-fixtures.ts';
import { observe } from '../health/observe.ts';
import { createHealthState, type HealthState } from '../health/state.ts';
import { bindToIssuer, bindToNobody, bindToProtocol, type Issuer, preferIssuer } from './affinity-state.ts';
import { planRoute } from './plan-route.ts';

const TARGETS = [
  makeTarget('p/a', {}, ['one', 'two']),
  makeTarget('q/b'),
  makeTarget('p/c', { tier: 1 }, ['one', 'two']),
  makeTarget('r/d', { protocol: 'gemini' }),
];

const ISSUER: Issuer = {
  route: 'p/c#one',
  target: 'p/c',
  provider: 'p',
  credential: 'one',
  account: 'account of p#one',
  model: 'main',
  asked: 'main',
};

function bind(issuer: Partial<Issuer> = {}, health: HealthState = createHealthState(), order = bindToIssuer) {
  const planned = planRoute({
    request: makeRequest(),
    model: makeModel(TARGETS),
    health,
    rotation: {},
    affinityRoute: null,
    now: 0,
    random: 0,
    baseOrder: null,
  });
  const plan = order(planned.plan, { ...ISSUER, ...issuer });
  return { plan, shown: plan.candidates.map(({ route, rank, skip }) => `${route.id} ${rank ?? skip}`) };
}

describe('bindToIssuer', () => {
  it('the issuer stands first, its account behind it, and nobody else can serve', () => {
    const { plan, shown } = bind();
    expect(shown).toEqual([
      'p/c#one 1',
      'p/a#one 2',
      'p/a#two skipped_state',
      'q/b#default skipped_state',
      'p/c#two skipped_state',
      'r/d#default skipped_capability',
    ]);
    expect(plan.order[0]).toBe('p/c');
    expect(plan.candidates.map(({ boundBy }) => boundBy ?? null)).toEqual(['issuer', 'issuer', null, null, null, null]);
    expect(plan.candidates.slice(0, 2).map(({ reason }) => reason)).toEqual([
      'ready; gave the answer that the conversation goes on from',
      'ready; has the account that gave the answer that the conversation goes on from',
    ]);
    expect(plan.candidates[2]).toMatchObject({ use: 'skip', reason: expect.stringContaining('p/c#one') });
  });

  it('an issuer that is held keeps the word for it', () => {
    const [route] = TARGETS[2]?.routes ?? [];
    if (route === undefined) throw new Error('no route');
    const failure = FAILURES.rateLimited(30_000);
    const held = observe(createHealthState(), makeObservation(route, 0, 'failure', { failure }), HEALTH);
    expect(bind({}, held).shown.slice(0, 2)).toEqual(['p/a#one 1', 'p/c#one skipped_cooldown']);
  });

  it('others that are held keep their word too: they could not serve the whole conversation either', () => {
    const [route] = TARGETS[1]?.routes ?? [];
    if (route === undefined) throw new Error('no route');
    const failure = FAILURES.rateLimited(30_000);
    const held = observe(createHealthState(), makeObservation(route, 0, 'failure', { failure }), HEALTH);
    const { plan, shown } = bind({}, held);
    expect(shown).toContain('q/b#default skipped_cooldown');
    const without = plan.candidates.filter(({ lacksState }) => lacksState).map((each) => each.route.id);
    expect(without).toEqual(['p/a#two', 'p/c#two', 'q/b#default', 'r/d#default']);
  });

  it.each<[string, Partial<Issuer>]>([
    ['the model does not list', { provider: 'z', route: 'z/z#one' }],
    ['has another key by now', { account: 'account of somebody else' }],
    ['had a key of which nothing is known', { account: null }],
  ])('of an issuer that %s, nothing is left', (_why, issuer) => {
    expect(bind(issuer).shown.filter((line) => !line.includes('skipped'))).toEqual([]);
  });
});

describe('bindToNobody', () => {
  it('leaves nobody, whatever holds them', () => {
    const { candidates } = bindToNobody(bind().plan);
    expect(new Set(candidates.map(({ use, rank, skip }) => `${use} ${rank} ${skip}`))).toEqual(
      new Set(['skip null skipped_state']),
    );
  });
});

describe('preferIssuer', () => {
  it('the issuer stands first, its account behind it, and all others can serve', () => {
    const { plan, shown } = bind({}, createHealthState(), preferIssuer);
    expect(shown).toEqual([
      'p/c#one 1',
      'p/a#one 2',
      'p/a#two 3',
      'q/b#default 4',
      'p/c#two 5',
      'r/d#default skipped_capability',
    ]);
    expect(plan.order[0]).toBe('p/c');
    expect(plan.candidates.some(({ lacksState }) => lacksState)).toBe(false);
    expect(plan.candidates.map(({ boundBy }) => boundBy ?? null)).toEqual(['issuer', 'issuer', null, null, null, null]);
  });

  it('nobody waits for an issuer that is held', () => {
    const [route] = TARGETS[2]?.routes ?? [];
    if (route === undefined) throw new Error('no route');
    const failure = FAILURES.rateLimited(30_000);
    const held = observe(createHealthState(), makeObservation(route, 0, 'failure', { failure }), HEALTH);
    const { shown } = bind({}, held, preferIssuer);
    expect(shown[0]).toBe('p/a#one 1');
    expect(shown).toContain('p/c#one skipped_cooldown');
    expect(bind({ account: 'another' }, createHealthState(), preferIssuer).plan.candidates[0]?.boundBy).toBeUndefined();
  });
});

describe('bindToProtocol', () => {
  it('leaves out whoever can never have the answer that is gone on from, whatever else they lack', () => {
    const { plan, shown } = bind({}, createHealthState(), (made) => bindToProtocol(made, 'openai-chat'));
    expect(shown.slice(0, 3)).toEqual(['p/a#one 1', 'p/a#two 2', 'q/b#default 3']);
    expect(shown.at(-1)).toBe('r/d#default skipped_state');
    expect(plan.candidates.map(({ lacksState = false }) => lacksState)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});
