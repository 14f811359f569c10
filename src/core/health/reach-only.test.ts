import { describe, expect, it } from 'vitest';
import { FAILURES, HEALTH, makeObservation, makeRoute } from '../../../test/kit/health-fixtures.ts';
import { availability } from './availability-of.ts';
import { knownCapabilities } from './learnt-capabilities.ts';
import { observe } from './observe.ts';
import { reachOnly } from './reach-only.ts';
import { createHealthState } from './state.ts';

const ROUTE = makeRoute('p/a#one');
const AT = 1_000;

describe('reachOnly', () => {
  const { connect, ...others } = FAILURES;

  it.each(Object.keys(others) as (keyof typeof others)[])('of the failure %s nothing is left', (name) => {
    const before = createHealthState();
    const seen = makeObservation(ROUTE, AT, 'failure', { failure: FAILURES[name](60_000) });
    expect(observe(before, seen, HEALTH)).not.toBe(before);
    expect(observe(before, reachOnly(seen), HEALTH)).toBe(before);
  });

  it.each(['first_output', 'success', 'slow', 'another_answered', 'released'] as const)('nor of %s', (kind) => {
    const before = createHealthState();
    expect(observe(before, reachOnly(makeObservation(ROUTE, AT, kind)), HEALTH)).toBe(before);
  });

  it('that a target does not count is learnt of it, and nothing else', () => {
    const target = { id: ROUTE.target, capabilities: {} };
    const told = (feature: string) => {
      const failure = { ...FAILURES.rateLimited(60_000), feature };
      const seen = reachOnly(makeObservation(ROUTE, AT, 'failure', { failure }));
      return observe(createHealthState(), seen, HEALTH);
    };
    expect(knownCapabilities(told('countTokens'), target, AT)).toEqual({ countTokens: false });
    expect(availability(told('countTokens'), ROUTE, AT).state).toBe('ready');
    expect(knownCapabilities(told('images'), target, AT)).toEqual({});
  });

  it('an endpoint that can not be reached is remembered', () => {
    const failures = [connect(), { ...connect(), outcome: 'timeout_connect' as const }];
    for (const failure of failures) {
      const seen = makeObservation(ROUTE, AT, 'failure', { failure });
      expect(reachOnly(seen)).toBe(seen);
    }
  });
});
