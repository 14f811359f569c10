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
import { scopeAvailability, trialSlot } from './availability-of.ts';

const A = makeRoute('p/a');
const B = makeRoute('p/b');
const ALONE = makeRoute('q/a');

describe('when a circuit opens', () => {
  it.each([
    ['serverError', 3],
    ['cut', 3],
    ['connect', 3],
    ['timeout', 2],
  ] as const)('%s: at the %ith', (name, count) => {
    const health = watchHealth();
    for (let n = 1; n < count; n += 1) {
      health.fails(name, A, n);
      expect(health.word(A, n)).not.toBe('open');
    }
    health.fails(name, A, count);
    expect(health.word(A, count)).toBe('open');
  });

  it('at the sixth empty answer where another target had one, and never without that', () => {
    const health = watchHealth();
    for (let n = 1; n <= 20; n += 1) health.fails('empty', A, n);
    expect(health.word(A, 20)).toBe('ready');
    for (let n = 1; n <= 5; n += 1) health.see('another_answered', A, 20 + n, { failure: FAILURES.empty() });
    expect(health.word(A, 25)).toBe('ready');
    health.see('another_answered', A, 26);
    expect(health.word(A, 26)).toBe('open');
  });

  it('at once with a threshold of one', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('serverError', A, 0);
    expect(health.word(A, 0)).toBe('open');
  });

  it('not when a success that was sent after the first failure came between', () => {
    const health = watchHealth();
    health.fails('serverError', A, 10);
    health.fails('serverError', A, 20);
    health.see('success', A, 40, { startedAt: 30 });
    health.fails('serverError', A, 50);
    expect(health.word(A, 50)).toBe('ready');
  });

  it('a success that was sent before the failures counts for nothing', () => {
    const health = watchHealth();
    health.fails('serverError', A, 10);
    health.fails('serverError', A, 20);
    health.see('success', A, 40, { startedAt: 5 });
    health.fails('serverError', A, 50);
    expect(health.word(A, 50)).toBe('open');
  });

  it('the first output of a stream that is cut later is no success', () => {
    const health = watchHealth();
    for (const at of [10, 20, 30]) {
      health.see('first_output', A, at, { startedAt: at - 5 });
      health.fails('cut', A, at, { startedAt: at - 5 });
    }
    expect(health.word(A, 30)).toBe('open');
  });

  it('only failures in the window count', () => {
    const health = watchHealth();
    health.fails('serverError', A, 0);
    health.fails('serverError', A, 1);
    health.fails('serverError', A, 5 * MINUTE);
    expect(health.word(A, 5 * MINUTE)).toBe('ready');
  });

  it('repeats of one turn count once per route', () => {
    const health = watchHealth();
    for (const at of [1, 2, 3, 4]) health.fails('serverError', A, at, { turn: 'turn-1' });
    expect(health.word(A, 4)).toBe('ready');
    health.fails('serverError', A, 5, { turn: 'turn-2' });
    health.fails('serverError', A, 6);
    expect(health.word(A, 6)).toBe('open');
  });

  it('a timeout of a limit below half of its own counts for nothing', () => {
    const health = watchHealth();
    for (const at of [1, 2, 3]) health.fails('timeout', A, at, { limitMs: 49, ownLimitMs: 100 });
    expect(health.word(A, 3)).toBe('ready');
    for (const at of [4, 5]) health.fails('timeout', A, at, { limitMs: 50, ownLimitMs: 100 });
    expect(health.word(A, 5)).toBe('open');
  });

  it('faults of requests and of the gateway itself never count', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    for (const name of ['badRequest', 'context', 'local', 'rateLimited'] as const) health.fails(name, A, 1);
    expect(health.word(A, MINUTE)).toBe('ready');
  });
});

describe('how long a circuit is open', () => {
  it('ten seconds, doubled by each failed trial to thirty', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('serverError', A, 0);
    let now = 0;
    for (const length of [10, 20, 30, 30]) {
      expect(health.at(A, now)).toMatchObject({ state: 'open', until: now + length * SECOND });
      now += length * SECOND;
      expect(health.word(A, now)).toBe('half_open');
      expect(health.claim(A, now)).toBe(true);
      health.fails('serverError', A, now, { trial: true });
    }
  });

  it('slow failures: as long as trials are dear, up to a bound', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('timeout', A, MINUTE, { startedAt: 0, limitMs: MINUTE, ownLimitMs: MINUTE });
    expect(health.at(A, MINUTE).until).toBe(MINUTE + 6 * MINUTE);
    health.fails('timeout', ALONE, HOUR, { startedAt: 0, limitMs: HOUR, ownLimitMs: HOUR });
    expect(health.at(ALONE, HOUR).until).toBe(HOUR + 10 * MINUTE);
  });

  it('a stream that broke after an hour is not slow', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('cut', A, HOUR, { startedAt: 0 });
    expect(health.at(A, HOUR).until).toBe(HOUR + 10 * SECOND);
  });

  it('an open time above its own bound in the configuration stands', () => {
    const health = watchHealth(withBreaker({ failures: 1, openMs: MINUTE }));
    health.fails('serverError', A, 0);
    expect(health.at(A, 0).until).toBe(MINUTE);
  });
});

describe('half-open', () => {
  function halfOpen() {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.fails('serverError', A, 0);
    return health;
  }
  const NOW = 10 * SECOND;

  it('one of sixteen is let in', () => {
    const health = halfOpen();
    const granted = Array.from({ length: 16 }, () => health.claim(A, NOW)).filter(Boolean);
    expect(granted).toHaveLength(1);
    expect(trialSlot(health.state(), A, NOW)).toBe('taken');
  });

  it('output of the trial starts the ramp: 2, 4, 8 in flight, then closed', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    let inFlight = 1;
    for (const limit of [2, 4, 8]) {
      health.see('first_output', A, NOW, { trial: true });
      while (health.claim(A, NOW)) inFlight += 1;
      expect(inFlight).toBe(limit);
    }
    health.see('first_output', A, NOW, { trial: true });
    expect(health.word(A, NOW)).toBe('ready');
  });

  it('a place in the ramp is free again when its attempt ends', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.see('first_output', A, NOW, { trial: true });
    expect(health.claim(A, NOW)).toBe(true);
    expect(health.claim(A, NOW)).toBe(false);
    health.see('released', A, NOW, { trial: true });
    expect(health.claim(A, NOW)).toBe(true);
  });

  it('a failure in the ramp opens it again', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.see('first_output', A, NOW, { trial: true });
    health.fails('cut', A, NOW + 1, { startedAt: NOW, trial: true });
    expect(health.at(A, NOW + 1)).toMatchObject({ state: 'open', until: NOW + 1 + 20 * SECOND });
  });

  it.each(['notFound', 'context', 'auth', 'noImages'] as const)('%s is an answer and closes it', (name) => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.fails(name, A, NOW, { trial: true });
    expect(scopeAvailability(health.state(), 'route', A.id, NOW + 24 * HOUR).state).toBe('ready');
    expect(trialSlot(health.state(), A, NOW)).toBe('none');
  });

  it.each(['rateLimited', 'badRequest', 'empty', 'local'] as const)('%s hands the slot to the next', (name) => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.fails(name, A, NOW, { trial: true });
    expect(trialSlot(health.state(), A, NOW)).toBe('free');
    expect(health.claim(A, NOW)).toBe(true);
  });

  it('a client that leaves, and a shortened timeout, hand it on too', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.see('released', A, NOW, { trial: true });
    expect(health.claim(A, NOW)).toBe(true);
    health.fails('timeout', A, NOW, { trial: true, limitMs: 1, ownLimitMs: 100 });
    expect(health.claim(A, NOW)).toBe(true);
    health.see('slow', A, NOW, { trial: true });
    expect(trialSlot(health.state(), A, NOW)).toBe('free');
  });

  it('an empty answer of the trial is a failure once another target has answered', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.fails('empty', A, NOW, { trial: true });
    health.see('another_answered', A, NOW + 1, { startedAt: NOW, trial: true, failure: FAILURES.empty() });
    expect(health.word(A, NOW + 1)).toBe('open');
  });

  it('an empty answer that counts later gives back no place that another attempt has', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.see('first_output', A, NOW, { trial: true });
    const mine = { startedAt: NOW + 1, trial: true };
    expect(health.claim(A, NOW + 1)).toBe(true);
    health.fails('empty', A, NOW + 2, mine);
    health.fails('rateLimited', A, NOW + 3, { startedAt: NOW + 3 });
    const before = health.state();
    health.see('another_answered', A, NOW + 4, { ...mine, failure: FAILURES.empty() });
    expect(health.state()).toBe(before);
  });

  it('a success closes it; a late one closes nothing, nor does a late failure move its end', () => {
    const health = halfOpen();
    health.see('success', A, 5, { startedAt: -5 });
    health.fails('serverError', A, 6, { startedAt: -5 });
    expect(health.at(A, 7)).toMatchObject({ state: 'open', until: NOW });
    health.claim(A, NOW);
    health.see('success', A, NOW + 5, { startedAt: NOW, trial: true });
    expect(health.word(A, NOW + 5)).toBe('ready');
  });

  it('a trial of before the circuit opened again is late like any other', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.fails('serverError', A, NOW + 5, { startedAt: NOW, trial: true });
    const reopened = health.state();
    health.see('success', A, NOW + 6, { startedAt: NOW, trial: true });
    health.fails('serverError', A, NOW + 7, { startedAt: NOW, trial: true });
    health.fails('notFound', A, NOW + 8, { startedAt: NOW, trial: true });
    expect(health.state().scopes.route[A.id]?.circuit).toEqual(reopened.scopes.route[A.id]?.circuit);
  });

  it('one attempt climbs one rung', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    for (const at of [1, 2, 3, 4]) health.see('first_output', A, NOW + at, { startedAt: NOW, trial: true });
    expect(health.claim(A, NOW + 5)).toBe(true);
    expect(health.claim(A, NOW + 5)).toBe(false);
  });

  it('a claim that nobody settles is lost in the end', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    expect(health.claim(A, NOW + 14 * MINUTE)).toBe(false);
    expect(health.claim(A, NOW + 16 * MINUTE)).toBe(true);
  });

  it('the late end of a lost claim does not release the claim of its successor', () => {
    const health = halfOpen();
    health.claim(A, NOW);
    health.claim(A, NOW + HOUR);
    health.see('released', A, NOW + HOUR + 1, { startedAt: NOW, trial: true });
    expect(trialSlot(health.state(), A, NOW + HOUR + 1)).toBe('taken');
  });
});

describe('endpoints', () => {
  it('one bad route does not take its siblings down, two routes do', () => {
    const health = watchHealth();
    for (const at of [1, 2, 3]) health.fails('connect', A, at);
    expect(health.word(A, 3)).toBe('open');
    expect(health.word(B, 3)).toBe('ready');
    health.fails('connect', B, 4);
    expect(health.word(makeRoute('p/c'), 4)).toBe('open');
  });

  it('two models that fall silent are the endpoint; two keys of one model are the model', () => {
    const keys = watchHealth();
    keys.fails('timeout', makeRoute('p/a#one'), 1);
    keys.fails('timeout', makeRoute('p/a#two'), 2);
    expect(keys.word(B, 2)).toBe('ready');
    const models = watchHealth();
    models.fails('timeout', A, 1);
    models.fails('timeout', B, 2);
    expect(models.word(makeRoute('p/c'), 2)).toBe('open');
  });

  it('a success on the endpoint since the first failure keeps it closed', () => {
    const health = watchHealth(withBreaker({ failures: 2 }));
    health.fails('connect', A, 1);
    health.see('success', makeRoute('p/c'), 3, { startedAt: 2 });
    health.fails('connect', B, 4);
    expect(scopeAvailability(health.state(), 'endpoint', A.endpoint, 4).state).toBe('ready');
  });

  it('server errors are none of its business, and an answer of any kind closes it', () => {
    const health = watchHealth(withBreaker({ failures: 2 }));
    for (const at of [1, 2]) for (const route of [A, B]) health.fails('serverError', route, at);
    expect(health.word(makeRoute('p/c'), 2)).toBe('ready');
    for (const route of [makeRoute('p/d'), makeRoute('p/e')]) health.fails('connect', route, 3);
    const probe = makeRoute('p/f');
    const now = 3 + 10 * SECOND;
    expect(health.word(probe, now)).toBe('half_open');
    expect(health.claim(probe, now)).toBe(true);
    health.fails('serverError', probe, now, { trial: true });
    expect(scopeAvailability(health.state(), 'endpoint', A.endpoint, now).state).toBe('ready');
  });

  it('its trial is one for all of its routes', () => {
    const health = watchHealth(withBreaker({ failures: 2 }));
    for (const route of [A, B]) health.fails('connect', route, 0);
    const now = 10 * SECOND;
    const others = Array.from({ length: 16 }, (_, n) => makeRoute(`p/m${n}`));
    expect(others.filter((route) => health.claim(route, now))).toHaveLength(1);
  });
});
