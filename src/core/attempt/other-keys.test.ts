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
import type { Failure } from '../failure/failure.ts';
import type { Outcome } from '../failure/outcome.ts';
import type { RetrySettings } from '../model/settings.ts';
import type { Candidate } from '../routing/plan.ts';
import type { AttemptRecord, RequestLedger } from './ledger.ts';
import { type NextStep, nextStep } from './next-step.ts';

const candidate = (provider: string, key = 'k'): Candidate => {
  const route = makeRoute(provider, 'm', key);
  return makeCandidate(makeTarget([route]), route);
};

type Given = {
  readonly candidates: readonly Candidate[];
  readonly attempts?: readonly AttemptRecord[];
  readonly sameTarget?: RetrySettings['sameTarget'];
  readonly now?: number;
};

function step({ candidates, attempts = [], sameTarget = 0, now = 200 }: Given): NextStep {
  return nextStep({
    ledger: { id: 'r', attempts, committed: null, ended: null, plans: [] } as unknown as RequestLedger,
    plan: makePlan(candidates),
    policy: {
      settings: { ...SETTINGS, retry: { ...SETTINGS.retry, sameTarget } },
      commitAt: 10_000,
      totalAt: 20_000,
      failover: true,
      effects: [],
    },
    now,
    random: 0.5,
    roundStartedAt: 0,
    busy: new Map(),
    waitedFor: null,
  });
}

const routeOf = (next: NextStep): string | null => (next.type === 'send' ? next.candidate.route.id : null);

describe('the other keys of a target', () => {
  const a = candidate('a');
  const b = candidate('b');
  const sibling = candidate('a', 'k2');
  const failed = (on: Candidate, outcome: Outcome, more: Partial<Failure> = {}) =>
    makeAttemptOn(on.route, { outcome, failure: makeFailure({ outcome, again: false, ...more }) });

  it.each([
    'server_error',
    'overloaded',
    'bad_gateway',
    'connect_error',
    'incomplete_stream',
    'protocol_error',
    'empty_stream',
    'empty_completion',
    'model_unavailable',
    'model_gone',
    'bad_generation',
    'payload_too_large',
    'bad_request',
    'unsupported_capability',
    'timeout_first_output',
  ] as const)('are passed over where the target failed: %s', (outcome) => {
    const candidates = [a, sibling, b];
    expect(routeOf(step({ candidates, attempts: [failed(a, outcome)] }))).toBe('b/m#k');
    const exhausted = { type: 'fail', ending: 'exhausted' };
    expect(step({ candidates, attempts: [failed(a, outcome), failed(b, outcome)] })).toEqual(exhausted);
    expect(step({ candidates: [a, sibling], attempts: [failed(a, outcome)] })).toEqual(exhausted);
    const unknown = failed(a, outcome, { onward: 'next_route' });
    expect(step({ candidates: [a, sibling], attempts: [unknown] })).toEqual(exhausted);
  });

  it.each(['permission', 'model_not_found', 'context_length', 'incompatible_history'] as const)(
    'are asked behind the other targets for what may be of the account: %s',
    (outcome) => {
      const candidates = [a, sibling, b];
      expect(routeOf(step({ candidates, attempts: [failed(a, outcome)] }))).toBe('b/m#k');
      expect(routeOf(step({ candidates, attempts: [failed(a, outcome), failed(b, outcome)] }))).toBe('a/m#k2');
    },
  );

  it.each([
    ['auth', { scope: 'credential', onward: 'next_credential' }],
    ['quota_exhausted', { scope: 'credential', onward: 'next_credential' }],
    ['rate_limited', { onward: 'next_route' }],
  ] as const)('are asked before the other targets where the key failed: %s', (outcome, more) => {
    expect(routeOf(step({ candidates: [a, sibling, b], attempts: [failed(a, outcome, more)] }))).toBe('a/m#k2');
  });

  it('add nothing to the repeats of a failed target', () => {
    const again = () => failed(a, 'server_error', { again: true });
    const candidates = [a, sibling, candidate('a', 'k3')];
    const counts = (['auto', 0, 2] as const).map((sameTarget) => {
      const attempts: AttemptRecord[] = [again()];
      for (; attempts.length < 8; attempts.push(again())) {
        const next = step({ candidates, attempts, sameTarget, now: 9000 });
        if (next.type === 'fail') break;
        expect(routeOf(next)).toBe('a/m#k');
      }
      return attempts.length;
    });
    expect(counts).toEqual([2, 1, 3]);
  });

  it('do not keep it from being the last', () => {
    const isLast = (candidates: readonly Candidate[], attempts: readonly AttemptRecord[] = []) => {
      const next = step({ candidates, attempts });
      return next.type === 'send' ? next.last : null;
    };
    const stale = makeAttemptOn(a.route, { outcome: 'stale_socket', failure: null });
    expect([isLast([a, sibling]), isLast([a, sibling, b])]).toEqual([true, false]);
    expect([isLast([a, sibling], [stale]), isLast([a, sibling, b], [stale])]).toEqual([true, false]);
    expect(isLast([b, a, sibling, candidate('a', 'k3')], [failed(b, 'server_error')])).toBe(true);
  });
});
