import { describe, expect, it } from 'vitest';
import { FAILURES, type FailureName, HEALTH, makeObservation, makeRoute } from '../../../test/kit/health-fixtures.ts';
import type { Route } from '../routing/candidate.ts';
import { availability, scopeAvailability } from './availability-of.ts';
import { observe } from './observe.ts';
import { operate } from './operate.ts';
import { retainRoutes } from './retain-routes.ts';
import { createHealthState, type HealthState } from './state.ts';

const A = makeRoute('p/a');
const B = makeRoute('p/b');
const word = (state: HealthState, route: Route) => availability(state, route, 1).state;

function having(name: FailureName, route: Route, state = createHealthState()): HealthState {
  return observe(state, makeObservation(route, 0, 'failure', { failure: FAILURES[name]() }), HEALTH);
}

describe('retainRoutes', () => {
  it('keeps what is known of routes that stay, and drops what has gone', () => {
    const state = having('notFound', B, having('notFound', A, retainRoutes(createHealthState(), [A, B])));
    const next = retainRoutes(state, [A]);
    expect(word(next, A)).toBe('rejected');
    expect(Object.keys(next.scopes.route)).toEqual([A.id]);
  });

  it('a repaired key starts afresh: route, credential and target', () => {
    const before = having(
      'retired',
      A,
      having('auth', A, having('notFound', A, retainRoutes(createHealthState(), [A]))),
    );
    const repaired = { ...A, identity: 'another key' };
    const next = retainRoutes(before, [repaired]);
    expect(word(next, repaired)).toBe('ready');
    expect(scopeAvailability(next, 'credential', 'p/default', 1).state).toBe('ready');
  });

  it('keeps the credential while one of its routes is what it was', () => {
    const state = having('auth', A, retainRoutes(createHealthState(), [A, B]));
    expect(word(retainRoutes(state, [B]), B)).toBe('rejected');
  });

  it('what requests of a former configuration see is not the new route’s', () => {
    const repaired = { ...A, identity: 'another key' };
    const state = retainRoutes(createHealthState(), [repaired]);
    expect(having('auth', A, state)).toBe(state);
    expect(word(having('auth', repaired, state), A)).toBe('ready');
  });

  it('an operator’s word stays with the id', () => {
    const state = operate(retainRoutes(createHealthState(), [A]), 'disable', A.id, 0);
    const repaired = { ...A, identity: 'another key' };
    expect(word(retainRoutes(state as HealthState, [repaired]), repaired)).toBe('disabled');
  });

  it('routes that no list contains are remembered, but not without bound', () => {
    let state = retainRoutes(createHealthState(), [A]);
    state = having('notFound', A, state);
    for (let n = 0; n < 300; n += 1) state = having('notFound', makeRoute(`p/made-up-${n}`), state);
    expect(Object.keys(state.scopes.route).length).toBeLessThanOrEqual(257);
    expect(word(state, A)).toBe('rejected');
    expect(word(state, makeRoute('p/made-up-299'))).toBe('rejected');
  });
});

it('no number of names that clients make up takes an operator’s word away', () => {
  const named = makeRoute('p/named');
  let state = having('notFound', named, retainRoutes(createHealthState(), [A]));
  state = operate(state, 'disable', named.id, 0) as HealthState;
  for (let n = 0; n < 300; n += 1) state = having('notFound', makeRoute(`p/made-up-${n}`), state);
  expect(word(state, named)).toBe('disabled');
  expect(Object.keys(state.scopes.route).length).toBeLessThanOrEqual(257);
});

describe('operate', () => {
  const state = retainRoutes(createHealthState(), [A, B]);

  it.each([
    [A.id, 'ready'],
    ['p/default', 'disabled'],
    ['p.test:443', 'disabled'],
    ['p/a', 'ready'],
  ])('disables %s, and enables it again', (id, ofSibling) => {
    const disabled = operate(state, 'disable', id, 0) as HealthState;
    expect(word(disabled, A)).toBe('disabled');
    expect(word(disabled, B)).toBe(ofSibling);
    expect(word(operate(disabled, 'enable', id, 1) as HealthState, A)).toBe('ready');
  });

  it('resets what holds a route, its target included, and leaves it disabled', () => {
    const held = operate(having('retired', A, having('notFound', A, state)), 'disable', A.id, 0) as HealthState;
    const reset = operate(held, 'reset', A.id, 1) as HealthState;
    expect(word(reset, A)).toBe('disabled');
    expect(word(operate(reset, 'enable', A.id, 1) as HealthState, A)).toBe('ready');
  });

  it('resets all routes of a target, and nobody else’s', () => {
    const other = makeRoute('p/a#second');
    const both = having('notFound', other, having('notFound', A, retainRoutes(createHealthState(), [A, B, other])));
    const held = having('retired', A, having('notFound', B, both));
    const reset = operate(held, 'reset', 'p/a', 1) as HealthState;
    expect([A, other, B].map((route) => word(reset, route))).toEqual(['ready', 'ready', 'rejected']);
  });

  it.each(['p/none', '', '__proto__', 'constructor'])('knows no %j', (id) => {
    expect(operate(state, 'disable', id, 0)).toBeNull();
  });
});
