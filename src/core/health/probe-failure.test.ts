import { describe, expect, it } from 'vitest';
import { FAILURES, HEALTH, MINUTE, makeRoute, SECOND, watchHealth } from '../../../test/kit/health-fixtures.ts';
import type { Failure } from '../failure/failure.ts';
import { failureOfRow } from '../failure/failure-of-row.ts';
import { FAILURE_TABLE } from '../failure/table.ts';

const A = makeRoute('p/a');

const probed = (failure: Failure) => {
  const health = watchHealth();
  health.see('failure', A, 0, { failure, probe: true });
  return health;
};

describe('one probe is enough', () => {
  it.each([
    [{ ...FAILURES.serverError() }, 'open', 10 * SECOND],
    [{ ...FAILURES.cut() }, 'open', 10 * SECOND],
    [{ ...FAILURES.connect() }, 'open', 10 * SECOND],
    [{ ...FAILURES.timeout() }, 'open', 10 * SECOND],
    [{ ...FAILURES.rateLimited() }, 'deferred', HEALTH.cooldown.rateLimitedMs],
    [{ ...FAILURES.rateLimited(7 * SECOND) }, 'deferred', 7 * SECOND],
    [{ ...FAILURES.quota() }, 'rejected', HEALTH.cooldown.quotaMs],
    [{ ...FAILURES.auth() }, 'rejected', HEALTH.cooldown.authMs],
    [{ ...FAILURES.permission() }, 'rejected', HEALTH.cooldown.permissionMs],
    [{ ...FAILURES.notFound() }, 'rejected', HEALTH.cooldown.notFoundMs],
    [{ ...FAILURES.retired() }, 'rejected', HEALTH.cooldown.retiredMs],
    [{ ...FAILURES.badRequest() }, 'rejected', 10 * MINUTE],
    [{ ...FAILURES.context() }, 'rejected', 10 * MINUTE],
    [{ ...FAILURES.noImages() }, 'rejected', 10 * MINUTE],
    [{ ...FAILURES.context(), status: 429 }, 'deferred', HEALTH.cooldown.rateLimitedMs],
    [{ ...FAILURES.serverError(), outcome: 'model_unavailable', status: 409, weight: 0 }, 'deferred', 5 * SECOND],
    [
      { ...FAILURES.serverError(9 * SECOND), outcome: 'model_unavailable', status: 409, weight: 0 },
      'deferred',
      9 * SECOND,
    ],
  ] satisfies [Failure, string, number][])('%o', (failure, word, until) => {
    const seen = probed(failure).at(A, 1);
    expect(seen.state).toBe(word);
    expect(seen.until).toBe(until);
  });

  it('a fault of the gateway itself says nothing of a route', () =>
    expect(probed(FAILURES.local()).word(A, 1)).toBe('ready'));

  it('every row of the failure table puts a probed route out, or blames the gateway, or is judged by the prober', () => {
    const words = FAILURE_TABLE.map(({ id }) => {
      const failure = failureOfRow(id, 'made up');
      return [id, failure.component, probed(failure).word(A, 1)] as const;
    });
    expect(words.filter(([, component, word]) => word === 'ready' && component !== 'gateway')).toEqual([
      ['no_output', 'target', 'ready'],
    ]);
  });

  it('an empty answer that the prober does not believe opens the circuit', () => {
    const health = watchHealth();
    health.see('another_answered', A, 0, { failure: FAILURES.empty(), probe: true });
    expect(health.word(A, 1)).toBe('open');
  });

  it('the same failures of a client put nobody out', () => {
    for (const failure of [FAILURES.badRequest(), FAILURES.context(), FAILURES.serverError()]) {
      const health = watchHealth();
      health.see('failure', A, 0, { failure });
      expect(health.word(A, 1)).toBe('ready');
    }
  });

  it('two keys of a host that is down go together, and another host stays', () => {
    const health = watchHealth();
    const [first, second, third] = [makeRoute('p/a#one'), makeRoute('p/a#two'), makeRoute('p/b#one')];
    for (const route of [first, second]) health.see('failure', route, 0, { failure: FAILURES.connect(), probe: true });
    expect([first, second, third, makeRoute('q/a')].map((route) => health.word(route, 1))).toEqual([
      'open',
      'open',
      'open',
      'ready',
    ]);
  });
});
