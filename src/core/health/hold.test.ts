import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, makeRoute, SECOND, watchHealth, withBreaker } from '../../../test/kit/health-fixtures.ts';
import { knownCapabilities } from './learnt-capabilities.ts';

const A = makeRoute('p/a');
const ALONE = makeRoute('q/a');

describe('holds', () => {
  const GUESSES = [
    ['rateLimited', [5, 10, 20, 40, 60, 60], 'deferred'],
    ['auth', [300, 600, 1200, 2400, 3600, 3600], 'rejected'],
    ['quota', [600, 1200, 2400, 4800, 9600, 19200, 21600, 21600], 'rejected'],
    ['notFound', [600, 1200, 2400, 4800, 9600, 19200, 21600, 21600], 'rejected'],
    ['permission', [600, 600], 'rejected'],
    ['retired', [86400, 86400], 'rejected'],
  ] as const;

  it.each(GUESSES)('%s: guessed for %j s', (name, lengths, word) => {
    const health = watchHealth();
    let now = 0;
    for (const length of lengths) {
      health.fails(name, A, now);
      expect(health.at(A, now)).toMatchObject({ state: word, until: now + length * SECOND, told: false });
      now += length * SECOND;
    }
  });

  it('doubling ends with a success, and with time', () => {
    const health = watchHealth();
    health.fails('rateLimited', A, 0);
    health.fails('rateLimited', A, 5 * SECOND);
    health.see('success', A, 16 * SECOND, { startedAt: 15 * SECOND });
    health.fails('rateLimited', A, 20 * SECOND);
    expect(health.at(A, 20 * SECOND).until).toBe(25 * SECOND);
    health.fails('rateLimited', A, HOUR);
    expect(health.at(A, HOUR).until).toBe(HOUR + 5 * SECOND);
  });

  it('repeats of one turn do not double', () => {
    const health = watchHealth();
    health.fails('rateLimited', A, 0, { turn: 't' });
    health.fails('rateLimited', A, 6 * SECOND, { turn: 't' });
    expect(health.at(A, 6 * SECOND).until).toBe(11 * SECOND);
  });

  it('a told delay beats the guess, up to the bound; none or a past one is a second', () => {
    const health = watchHealth();
    health.fails('rateLimited', A, 0, { told: 30 * SECOND });
    expect(health.at(A, 0)).toMatchObject({ state: 'deferred', until: 30 * SECOND, told: true });
    health.fails('quota', ALONE, 0, { told: 48 * HOUR });
    expect(health.at(ALONE, 0)).toMatchObject({ state: 'rejected', until: 24 * HOUR, told: true });
    const other = makeRoute('r/a');
    health.fails('rateLimited', other, 0, { told: -5 });
    expect(health.at(other, 0).until).toBe(SECOND);
  });

  it('a row that holds only when told', () => {
    const health = watchHealth();
    health.fails('serverError', A, 0);
    expect(health.word(A, 0)).toBe('ready');
    health.fails('serverError', A, 1, { told: 9 * SECOND });
    expect(health.at(A, 1)).toMatchObject({ state: 'deferred', until: 1 + 9 * SECOND, told: true });
  });

  it('a later, shorter one never shortens', () => {
    const health = watchHealth();
    health.fails('rateLimited', A, 0, { told: 60 * SECOND });
    health.fails('rateLimited', A, 1, { told: 2 * SECOND });
    expect(health.at(A, 1).until).toBe(60 * SECOND);
  });

  it('behind the end of a shorter told one, a longer guess is still a last resort', () => {
    const health = watchHealth();
    for (const at of [0, 1, 2, 3]) health.fails('rateLimited', A, at);
    expect(health.at(A, 3)).toMatchObject({ until: 3 + 40 * SECOND, told: false });
    health.fails('rateLimited', A, 4, { told: 2 * SECOND });
    expect(health.at(A, 4)).toMatchObject({ until: 4 + 2 * SECOND, told: true });
    expect(health.at(A, 4 + 2 * SECOND)).toMatchObject({ state: 'deferred', until: 3 + 40 * SECOND, told: false });
  });

  it('a longer guess does not make a last resort of a told one', () => {
    const health = watchHealth();
    health.fails('rateLimited', A, 0, { told: 2 * SECOND });
    health.fails('rateLimited', A, 1);
    expect(health.at(A, 1)).toMatchObject({ until: 2 * SECOND, told: true });
    expect(health.at(A, 2 * SECOND)).toMatchObject({ until: 1 + 10 * SECOND, told: false });
  });

  it('a success ends a guess, and never a server’s word', () => {
    const health = watchHealth();
    health.fails('rateLimited', A, 0);
    health.see('success', A, 2, { startedAt: 1 });
    expect(health.word(A, 2)).toBe('ready');
    health.fails('rateLimited', A, 3, { told: 9 * SECOND });
    health.see('success', A, 5, { startedAt: 4 });
    expect(health.word(A, 5)).toBe('deferred');
  });

  it('a late failure of an older attempt moves nothing, neither by a hold nor by the circuit', () => {
    const health = watchHealth(withBreaker({ failures: 1, openMs: MINUTE }));
    health.fails('rateLimited', A, 100, { told: 30 * SECOND });
    health.fails('serverError', A, 1200, { startedAt: 0 });
    health.fails('rateLimited', A, 1300, { startedAt: 0, told: 300 * SECOND });
    health.fails('timeout', A, 1400, { startedAt: 0 });
    expect(health.at(A, 2000)).toMatchObject({ state: 'deferred', until: 100 + 30 * SECOND });
    expect(health.word(A, 100 + MINUTE)).toBe('ready');
  });

  it('a late failure of a trial gives its place back', () => {
    const health = watchHealth(withBreaker({ failures: 1, openMs: MINUTE }));
    health.fails('serverError', A, 0);
    const sent = { startedAt: MINUTE, trial: true };
    expect(health.claim(A, MINUTE)).toBe(true);
    health.see('first_output', A, MINUTE + 1, sent);
    expect(health.claim(A, MINUTE + 1)).toBe(true);
    health.fails('rateLimited', A, MINUTE + 100, { ...sent, startedAt: MINUTE + 1, told: 30 * SECOND });
    health.fails('timeout', A, MINUTE + 200, sent);
    const later = MINUTE + 31 * SECOND;
    expect([health.claim(A, later), health.claim(A, later), health.claim(A, later)]).toEqual([true, true, false]);
  });

  it('a late success of an older attempt ends no hold', () => {
    const health = watchHealth();
    health.fails('auth', A, 100);
    health.see('success', A, 200, { startedAt: 50 });
    expect(health.word(A, 200)).toBe('rejected');
  });

  it('reach: a 429 the route, or the credential of an account-wide limit; a key its models; a model its keys', () => {
    const health = watchHealth();
    health.fails('rateLimited', makeRoute('p/a#one'), 0);
    expect(health.word(makeRoute('p/b#one'), 0)).toBe('ready');
    const wide = makeRoute('w/a#one', { accountWideLimit: true });
    health.fails('rateLimited', wide, 0);
    expect(health.at(makeRoute('w/b#one'), 0)).toMatchObject({ state: 'deferred', scope: 'credential' });
    health.fails('auth', makeRoute('s/a#one'), 0);
    expect(health.word(makeRoute('s/b#one'), 0)).toBe('rejected');
    expect(health.word(makeRoute('s/a#two'), 0)).toBe('ready');
    health.fails('retired', makeRoute('t/a#one'), 0);
    expect(health.at(makeRoute('t/a#two'), 0)).toMatchObject({ state: 'rejected', scope: 'target' });
    expect(health.word(makeRoute('t/b#one'), 0)).toBe('ready');
  });

  it('one that has passed leaves its route behind others for as long as it was, a minute at most', () => {
    const health = watchHealth();
    health.fails('rateLimited', A, 0, { told: 7 * SECOND });
    expect(health.at(A, 7 * SECOND)).toMatchObject({ state: 'deferred', until: 7 * SECOND });
    expect(health.word(A, 14 * SECOND)).toBe('ready');
    health.fails('retired', ALONE, 0);
    expect(health.word(ALONE, 24 * HOUR + MINUTE - 1)).toBe('deferred');
    expect(health.word(ALONE, 24 * HOUR + MINUTE)).toBe('ready');
  });
});

describe('slow', () => {
  it('from a timeout, for a multiple of what it cost; a real success ends it', () => {
    const health = watchHealth();
    health.fails('timeout', A, 10 * SECOND, { startedAt: 0, limitMs: 10 * SECOND, ownLimitMs: 10 * SECOND });
    expect(health.at(A, 10 * SECOND)).toMatchObject({ state: 'slow', until: 70 * SECOND });
    expect(health.word(A, 70 * SECOND)).toBe('ready');
    health.see('success', A, 12 * SECOND, { startedAt: 5 * SECOND });
    expect(health.word(A, 12 * SECOND)).toBe('slow');
    health.see('success', A, 20 * SECOND, { startedAt: 11 * SECOND });
    expect(health.word(A, 20 * SECOND)).toBe('ready');
  });

  it('from a client that gave up, without any weight', () => {
    const health = watchHealth(withBreaker({ failures: 1 }));
    health.see('slow', A, 10 * SECOND, { startedAt: 0 });
    expect(health.at(A, 10 * SECOND)).toMatchObject({ state: 'slow', until: 70 * SECOND });
  });
});

describe('what else is learnt', () => {
  it('a refused feature, for a day', () => {
    const health = watchHealth();
    health.fails('noImages', A, 0);
    expect(knownCapabilities(health.state(), { id: A.target, capabilities: {} }, HOUR)).toEqual({ images: false });
    expect(knownCapabilities(health.state(), { id: A.target, capabilities: {} }, 25 * HOUR)).toEqual({});
  });

  it('a probe needs one failure to open a circuit', () => {
    const health = watchHealth();
    health.fails('serverError', A, 0, { probe: true });
    expect(health.word(A, 0)).toBe('open');
  });
});
