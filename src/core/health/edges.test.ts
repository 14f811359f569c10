import { describe, expect, it } from 'vitest';
import {
  FAILURES,
  HOUR,
  MINUTE,
  makeRoute,
  SECOND,
  watchHealth,
  withBreaker,
} from '../../../test/kit/health-fixtures.ts';
import { availability, scopeAvailability, trialSlot } from './availability-of.ts';
import { operate } from './operate.ts';
import { retainRoutes } from './retain-routes.ts';
import type { HealthState } from './state.ts';

const A = makeRoute('p/a');
const B = makeRoute('p/b');
const C = makeRoute('p/c');
const ENDPOINT = 'p.test:443';

/** Two routes that could not connect, with a breaker of two. */
function deadEndpoint() {
  const health = watchHealth(withBreaker({ failures: 2 }));
  for (const route of [A, B]) health.fails('connect', route, 0);
  return health;
}

describe('who is late', () => {
  it('an attempt that was sent in the moment in which a hold began is not', () => {
    const health = watchHealth();
    health.fails('rateLimited', A, 100);
    health.fails('rateLimited', A, 101, { startedAt: 100 });
    expect(health.at(A, 101).until).toBe(101 + 10 * SECOND);
  });

  it('a late word of a server does not shorten a longer guess', () => {
    const health = watchHealth();
    for (const at of [0, 1, 2, 3]) health.fails('rateLimited', A, at);
    health.fails('rateLimited', A, 4, { startedAt: 0, told: 2 * SECOND });
    expect(health.at(A, 4)).toMatchObject({ until: 4 + 2 * SECOND, told: true });
    expect(health.at(A, 4 + 2 * SECOND)).toMatchObject({ until: 3 + 40 * SECOND, told: false });
  });

  it('a success that was sent in the moment in which a circuit opened closes nothing', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('serverError', A, 10);
    health.see('success', A, 20, { startedAt: 10 });
    expect(health.word(A, 20)).toBe('open');
  });
});

describe('what a success ends', () => {
  it.each([
    ['auth', 'credential'],
    ['retired', 'target'],
    ['notFound', 'route'],
  ] as const)('a guess after %s: of the %s', (name, scope) => {
    const health = watchHealth();
    health.fails(name, A, 0);
    expect(health.at(A, 1)).toMatchObject({ state: 'rejected', scope });
    health.see('success', A, 2, { startedAt: 1 });
    expect(health.word(A, 2)).toBe('ready');
  });
});

describe('slowness', () => {
  it('is not shortened by a shorter one', () => {
    const health = watchHealth();
    health.see('slow', A, 10 * SECOND, { startedAt: 0 });
    health.see('slow', A, 12 * SECOND, { startedAt: 11 * SECOND });
    expect(health.at(A, 12 * SECOND)).toMatchObject({ state: 'slow', until: 70 * SECOND });
  });

  it('does not come of a wait that was cut to less than half', () => {
    const health = watchHealth();
    health.fails('timeout', A, 49, { startedAt: 0, limitMs: 49, ownLimitMs: 100 });
    expect(health.word(A, 50)).toBe('ready');
    health.fails('timeout', B, 50, { startedAt: 0, limitMs: 50, ownLimitMs: 100 });
    expect(health.word(B, 51)).toBe('slow');
  });

  it('does not come of an answer that stalled behind its output', () => {
    const health = watchHealth();
    const failure = { ...FAILURES.timeout(), outcome: 'timeout_progress' } as const;
    health.see('failure', A, MINUTE, { startedAt: 0, failure, limitMs: MINUTE, ownLimitMs: MINUTE });
    expect(health.word(A, MINUTE)).toBe('ready');
  });

  it('costs the limit that ran out, and not the answer before it', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('timeout', A, HOUR, { startedAt: 0, limitMs: MINUTE, ownLimitMs: MINUTE });
    expect(health.at(A, HOUR).until).toBe(HOUR + 6 * MINUTE);
  });
});

describe('what stands against a route', () => {
  it('is over with the later of two things that block it', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('serverError', A, 0, { told: 3 * SECOND });
    expect(health.at(A, 0)).toMatchObject({ state: 'deferred', until: 10 * SECOND, told: true });
  });

  it('a trial that may be had is less than a guessed hold, and one that is taken is more', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('serverError', A, 0);
    health.fails('rateLimited', A, 9 * SECOND, { startedAt: 1 });
    const now = 10 * SECOND;
    expect(health.word(A, now)).toBe('deferred');
    expect(health.claim(A, now)).toBe(true);
    expect(health.word(A, now)).toBe('half_open');
  });
});

describe('an endpoint', () => {
  it('counts one turn once for each of its routes', () => {
    const health = watchHealth(withBreaker({ failures: 2 }));
    for (const route of [A, B]) health.fails('connect', route, 0, { turn: 'turn-1' });
    expect(health.word(C, 0)).toBe('open');
  });

  it('asks for a place of its own', () => {
    const health = deadEndpoint();
    const now = 10 * SECOND;
    expect(trialSlot(health.state(), C, now)).toBe('free');
    expect(health.claim(C, now)).toBe(true);
    expect(trialSlot(health.state(), makeRoute('p/d'), now)).toBe('taken');
  });

  it('is what it was when a key is repaired', () => {
    const known = retainRoutes(deadEndpoint().state(), [A, B]);
    const repaired = [A, B].map((route) => ({ ...route, identity: `another key of ${route.id}` }));
    expect(scopeAvailability(retainRoutes(known, repaired), 'endpoint', ENDPOINT, 1).state).toBe('open');
  });
});

it('who is disabled twice is so since the first time', () => {
  const known = retainRoutes(watchHealth().state(), [A]);
  const once = operate(known, 'disable', A.id, 5) as HealthState;
  expect(availability(operate(once, 'disable', A.id, 9) as HealthState, A, 9).since).toBe(5);
});
