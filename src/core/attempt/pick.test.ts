import { describe, expect, it } from 'vitest';
import {
  makeAttemptOn,
  makeCandidate,
  makeFailure,
  makePlan,
  makeRoute,
  makeTarget,
  SETTINGS,
} from '../../../test/kit/samples.ts';
import type { Candidate } from '../routing/plan.ts';
import type { AttemptRecord, RequestLedger } from './ledger.ts';
import { pickCandidate } from './pick.ts';

function candidate(provider: string, endpoint: string, tier = 0): Candidate {
  const route = makeRoute(provider, 'm', 'k', endpoint);
  return makeCandidate(makeTarget([route], { tier }), route);
}

function pick(
  candidates: readonly Candidate[],
  attempts: readonly AttemptRecord[],
  roundStartedAt = 0,
  busy: ReadonlyMap<string, number> = new Map(),
): string | null {
  const ledger = { id: 'r', attempts, committed: null, ended: null, plans: [] } as unknown as RequestLedger;
  const policy = { settings: SETTINGS, commitAt: 10_000, totalAt: 20_000, failover: true, effects: [] };
  const input = {
    ledger,
    plan: makePlan(candidates),
    policy,
    now: 200,
    random: 0.5,
    roundStartedAt,
    busy,
    waitedFor: null,
  };
  return pickCandidate(input, attempts.at(-1) ?? null)?.route.id ?? null;
}

describe('pickCandidate', () => {
  const a = candidate('a', 'one');
  const b = candidate('b', 'one');

  it('takes an attempt of the very moment in which a round began for one of that round', () => {
    const tried = makeAttemptOn(a.route, { startedAt: 100 });
    expect([pick([a, b], [tried], 100), pick([a, b], [tried], 101)]).toEqual(['b/m#k', 'a/m#k']);
  });

  it('goes to another endpoint behind a dead one, but not into another tier', () => {
    const failure = makeFailure({ outcome: 'connect_error', scope: 'endpoint' });
    const dead = [makeAttemptOn(a.route, { outcome: 'connect_error', failure })];
    expect(pick([a, b, candidate('c', 'two'), candidate('d', 'three', 1)], dead)).toBe('c/m#k');
    expect(pick([a, b, candidate('d', 'three', 1)], dead)).toBe('b/m#k');
  });

  it('asks who was busy once behind the others of its tier, and before a later one', () => {
    const later = candidate('d', 'three', 1);
    const attempts = [makeAttemptOn(b.route)];
    const busy = new Map([['a/m#k', 0]]);
    expect(pick([a, b, candidate('c', 'two'), later], attempts, 0, busy)).toBe('c/m#k');
    expect(pick([a, b, later], attempts, 0, busy)).toBe('a/m#k');
    expect(pick([a, b, later], attempts, 0, new Map([['a/m#k', 1]]))).toBe('d/m#k');
  });
});
