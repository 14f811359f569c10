import { array, double, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import {
  FAILURES,
  type FailureName,
  HOUR,
  MINUTE,
  makeRoute,
  SECOND,
  watchHealth,
} from '../../../test/kit/health-fixtures.ts';
import { availability, trialSlot } from './availability-of.ts';
import { recallHealth } from './read-health.ts';
import { retainRoutes } from './retain-routes.ts';

const A = makeRoute('p/a');
const B = makeRoute('q/b');

const START = 1_800_000_000_000;

const restart = (health: ReturnType<typeof watchHealth>, at: number) => {
  const written: unknown = JSON.parse(JSON.stringify(health.state()));
  const recalled = recallHealth(written, at);
  if (recalled === null) throw new Error('what was written can not be read');
  return retainRoutes(recalled, [A, B]);
};

describe('health over a restart', () => {
  it.each([
    ['serverError', 'open'],
    ['rateLimited', 'deferred'],
    ['permission', 'rejected'],
    ['notFound', 'rejected'],
    ['retired', 'rejected'],
  ] as const)('%s: still %s, with its age', (name, word) => {
    const health = watchHealth();
    for (let n = 0; n < 3; n += 1) health.fails(name, A, START + n, { probe: true });
    const before = health.at(A, START + SECOND);
    expect(before.state).toBe(word);
    expect(availability(restart(health, START + SECOND), A, START + SECOND)).toEqual(before);
  });

  it.each(['auth', 'quota'] as const)('%s: asked first thing, behind proved routes', (name) => {
    const health = watchHealth();
    health.fails(name, A, START);
    const state = restart(health, START + MINUTE);
    expect(availability(state, A, START + MINUTE)).toMatchObject({ state: 'deferred', until: START + MINUTE });
  });

  it('keeps the word of a server to its end, also of a quota', () => {
    const health = watchHealth();
    health.fails('quota', A, START, { told: HOUR });
    const state = restart(health, START + MINUTE);
    expect(availability(state, A, START + MINUTE)).toMatchObject({ state: 'rejected', until: START + HOUR });
  });

  it('what was proved at a moment that lies ahead was proved now', () => {
    const health = watchHealth();
    health.see('success', A, START + HOUR);
    expect(restart(health, START).scopes.route[A.id]?.provedAt).toBe(START);
    expect(restart(health, START + 2 * HOUR).scopes.route[A.id]?.provedAt).toBe(START + HOUR);
  });

  it('nobody of the dead process holds a trial', () => {
    const health = watchHealth();
    health.fails('serverError', A, START, { probe: true });
    const { until } = health.at(A, START);
    expect(health.claim(A, until ?? 0)).toBe(true);
    expect(health.claim(A, until ?? 0)).toBe(false);
    const state = restart(health, until ?? 0);
    expect(availability(state, A, until ?? 0).state).toBe('half_open');
    expect(trialSlot(state, A, until ?? 0)).toBe('free');
  });

  it('knows when a route last answered well', () => {
    const health = watchHealth();
    health.see('success', A, START);
    expect(restart(health, START + HOUR).scopes.route[A.id]?.provedAt).toBe(START);
  });

  it('forgets a route whose identity is another now', () => {
    const health = watchHealth();
    health.fails('permission', A, START);
    const written: unknown = JSON.parse(JSON.stringify(health.state()));
    const state = retainRoutes(recallHealth(written, START) ?? health.state(), [{ ...A, identity: 'another' }]);
    expect(availability(state, { ...A, identity: 'another' }, START).state).toBe('ready');
  });

  it('does not believe a moment that lies years ahead: the clock was another', () => {
    const health = watchHealth();
    health.fails('permission', A, START + 400 * 24 * HOUR);
    expect(availability(restart(health, START), A, START).state).toBe('ready');
  });
});

describe('what is not health', () => {
  const health = watchHealth();
  for (const name of Object.keys(FAILURES) as FailureName[]) health.fails(name, makeRoute(`p/${name}`), START);
  health.see('slow', B, START);
  const whole = JSON.stringify(health.state());

  it('takes what it wrote itself', () => expect(recallHealth(JSON.parse(whole), START)).not.toBeNull());

  it.each([
    null,
    1,
    'text',
    [],
    {},
    { scopes: null },
    { scopes: { route: {}, target: {}, credential: {} } },
    { scopes: { route: [], target: {}, credential: {}, endpoint: {} } },
    { scopes: { route: { x: null }, target: {}, credential: {}, endpoint: {} } },
  ])('%j', (value) => expect(recallHealth(value, START)).toBeNull());

  it('never throws, whatever was damaged, and what it gives can be asked', () => {
    assertProperty(
      property(array(path(), { minLength: 1, maxLength: 4 }), jsonValue(), (places, value) => {
        const damaged: unknown = JSON.parse(whole);
        for (const place of places) damage(damaged, place, value);
        const state = recallHealth(damaged, START);
        if (state === null) return;
        for (const route of [A, B, makeRoute('p/serverError')])
          expect(availability(retainRoutes(state, [route]), route, START).state).toBeTypeOf('string');
      }),
      300,
    );
  });
});

/** Which member to go into at each level, as a share of those that are there. */
const path = () => array(double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 6 });

function damage(root: unknown, shares: readonly number[], value: unknown): void {
  let at = root;
  for (const [i, share] of shares.entries()) {
    if (typeof at !== 'object' || at === null) return;
    const keys = Object.keys(at);
    const key = keys[Math.floor(share * keys.length)];
    if (key === undefined) return;
    if (i === shares.length - 1) Reflect.set(at, key, value);
    else at = Reflect.get(at, key);
  }
}
