import { describe, expect, it } from 'vitest';
import { FAILURES, HEALTH, makeObservation, makeRoute, SECOND } from '../../../test/kit/health-fixtures.ts';
import { listScopes } from './list-scopes.ts';
import { observe } from './observe.ts';
import { createHealthState } from './state.ts';

const ONE = makeRoute('p/a#one');
const TWO = makeRoute('p/a#two');
const OTHER = makeRoute('q/b');

describe('listScopes', () => {
  it('shows every route, then each credential and each endpoint once', () => {
    const entries = listScopes(createHealthState(), [ONE, TWO, OTHER, ONE], 0);
    expect(entries.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'route p/a#one',
      'route p/a#two',
      'route q/b#default',
      'credential p/one',
      'credential p/two',
      'credential q/default',
      'endpoint p.test:443',
      'endpoint q.test:443',
    ]);
    expect(entries[0]).toEqual({
      kind: 'route',
      id: 'p/a#one',
      target: 'p/a',
      credential: 'one',
      endpoint: 'p.test:443',
      state: 'ready',
      reason: null,
      since: null,
      until: null,
      failures: 0,
      last: null,
    });
  });

  it('counts weighted failures in the window, and shows a held credential at its routes too', () => {
    const seen = [
      makeObservation(ONE, 5, 'failure', { startedAt: 2, failure: FAILURES.timeout() }),
      makeObservation(TWO, 6, 'failure', { failure: FAILURES.auth() }),
    ];
    const state = seen.reduce((next, one) => observe(next, one, HEALTH), createHealthState());
    const entries = listScopes(state, [ONE, TWO], 10);
    const entry = (id: string) => entries.find((one) => one.id === id);
    expect(entry('p/a#one')).toMatchObject({ state: 'slow', failures: 2, last: { outcome: 'timeout_headers', ms: 3 } });
    expect(entry('p/a#two')).toMatchObject({ state: 'rejected', failures: 0, until: 6 + 300 * SECOND });
    expect(entry('p/two')).toMatchObject({ state: 'rejected', target: null, endpoint: null });
    expect(entry('p/one')).toMatchObject({ state: 'ready' });
    expect(listScopes(state, [ONE], 10 + 300 * SECOND)[0]).toMatchObject({ failures: 0, state: 'ready' });
  });

  it('names no moment that has passed', () => {
    const held = observe(
      createHealthState(),
      makeObservation(ONE, 0, 'failure', { failure: FAILURES.rateLimited(SECOND) }),
      HEALTH,
    );
    expect(listScopes(held, [ONE], SECOND)[0]).toMatchObject({ state: 'deferred', until: null });
  });
});
