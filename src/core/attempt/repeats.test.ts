import { describe, expect, it } from 'vitest';
import {
  makeAttemptOn,
  makeCandidate,
  makeFailure,
  makePlan,
  makeRoute,
  makeTarget,
  READY,
  SETTINGS,
} from '../../../test/kit/samples.ts';
import type { RetrySettings } from '../model/settings.ts';
import type { Candidate } from '../routing/plan.ts';
import type { AttemptRecord, RequestLedger } from './ledger.ts';
import { type NextStep, nextStep, type StepInput } from './next-step.ts';

const candidate = (provider: string, key = 'k', more: Partial<Candidate> = {}): Candidate => {
  const route = makeRoute(provider, 'm', key);
  return makeCandidate(makeTarget([route]), route, more);
};

function step(
  candidates: readonly Candidate[],
  attempts: readonly AttemptRecord[],
  retry: Partial<RetrySettings>,
  more: Partial<StepInput> = {},
): NextStep {
  const settings = { ...SETTINGS, retry: { ...SETTINGS.retry, ...retry } };
  return nextStep({
    ledger: { id: 'r', attempts, committed: null, ended: null, plans: [] } as unknown as RequestLedger,
    plan: makePlan(candidates),
    policy: { settings, commitAt: 10_000, totalAt: 20_000, failover: true, effects: [] },
    now: 9000,
    random: 0.5,
    roundStartedAt: 0,
    busy: new Map(),
    waitedFor: null,
    ...more,
  });
}

const asked = (next: NextStep): string => (next.type === 'send' ? next.candidate.route.id : next.type);

describe('repeats and deadlines', () => {
  const a = candidate('a');
  const b = candidate('b');
  const once = { sameTarget: 1, maxAttempts: 9 } as const;

  it('counts the repeats of each route by itself', () => {
    const attempts = [a, a, b].map(({ route }) => makeAttemptOn(route));
    expect(asked(step([a, b], attempts, once))).toBe('b/m#k');
    expect(asked(step([a, b], [...attempts, makeAttemptOn(b.route)], once))).toBe('fail');
  });

  it('repeats nothing on a route that cannot be had now', () => {
    expect(asked(step([a, b], [makeAttemptOn(a.route)], once))).toBe('a/m#k');
    expect(asked(step([a, b], [makeAttemptOn(a.route)], once, { busy: new Map([['a/m#k', 1]]) }))).toBe('b/m#k');
  });

  it('does not wait for a repeat that would come at the deadline or behind it', () => {
    const policy = (commitAt: number) => ({
      settings: { ...SETTINGS, retry: { ...SETTINGS.retry, ...once } },
      commitAt,
      totalAt: 20_000,
      failover: true,
      effects: [],
    });
    const attempts = [makeAttemptOn(a.route)];
    expect(step([a], attempts, once, { now: 200, policy: policy(326) })).toMatchObject({ type: 'wait', untilAt: 325 });
    expect(step([a], attempts, once, { now: 200, policy: policy(325) })).toEqual({ type: 'fail', ending: 'exhausted' });
  });

  it('ends a request at the very moment at which its time is up', () => {
    expect(asked(step([a], [], once, { now: 9999 }))).toBe('a/m#k');
    expect(step([a], [], once, { now: 10_000 })).toEqual({ type: 'fail', ending: 'timeout_commit' });
    expect(step([a], [], once, { now: 20_000 })).toEqual({ type: 'fail', ending: 'timeout_total' });
  });

  it('waits for nobody who comes back when the time is up', () => {
    const held = (until: number) =>
      candidate('c', 'k', {
        use: 'skip',
        skip: 'skipped_cooldown',
        availability: { ...READY, state: 'deferred', until, told: true },
      });
    const waits = { waitForCooldownMs: 60_000 };
    expect(step([held(9999)], [], waits)).toMatchObject({ type: 'wait', untilAt: 9999 });
    expect(step([held(10_000)], [], waits)).toEqual({ type: 'fail', ending: 'exhausted' });
  });

  it('asks who was busy once more when another attempt has failed, behind everybody else', () => {
    const c = candidate('c');
    const failed = [makeAttemptOn(b.route)];
    const never = { sameTarget: 0 };
    const before = new Map([['a/m#k', 0]]);
    expect(asked(step([a, b], [], never, { busy: before }))).toBe('b/m#k');
    expect(asked(step([a, b, c], failed, never, { busy: before }))).toBe('c/m#k');
    expect(asked(step([a, b], failed, never, { busy: before }))).toBe('a/m#k');
    expect(step([a, b], failed, never, { busy: new Map([['a/m#k', 1]]) })).toMatchObject({ type: 'fail' });
  });

  it('goes on behind a refusal where the target that refused says so', () => {
    const refusal = makeFailure({ outcome: 'content_policy', onward: 'stop', again: false });
    const refused = [makeAttemptOn(a.route, { outcome: 'content_policy', failure: refusal })];
    const own = { ...a, target: { ...a.target, settings: { ...a.target.settings, onContentPolicy: 'next' as const } } };
    expect(step([a, b], refused, once)).toEqual({ type: 'fail', ending: 'stopped' });
    expect(asked(step([own, b], refused, once))).toBe('b/m#k');
  });

  it('makes a trial of the replay of a trial, however shut the route is', () => {
    const shut = candidate('a', 'k', { use: 'skip', skip: 'skipped_circuit' });
    const stale = (trial: boolean) => [makeAttemptOn(a.route, { outcome: 'stale_socket', failure: null, trial })];
    expect(step([shut, b], stale(true), once)).toMatchObject({ freshSocket: true, candidate: { use: 'trial' } });
    expect(step([a, b], stale(false), once)).toMatchObject({ freshSocket: true, candidate: { use: 'serve' } });
  });

  it.each(['skipped_circuit', 'skipped_cooldown', 'skipped_disabled'] as const)(
    'replays no stale socket into what others have met meanwhile: %s',
    (skip) => {
      const shut = candidate('a', 'k', { use: 'skip', skip });
      const stale = [makeAttemptOn(a.route, { outcome: 'stale_socket', failure: null })];
      expect(asked(step([shut, b], stale, once))).toBe('b/m#k');
      expect(step([shut], stale, once)).toEqual({ type: 'fail', ending: 'exhausted' });
    },
  );

  it('does not repeat into a hold that others have met meanwhile', () => {
    const heldUntil = (until: number) =>
      candidate('a', 'k', {
        use: 'skip',
        skip: 'skipped_cooldown',
        availability: { ...READY, state: 'deferred', until, told: true },
      });
    const failed = [makeAttemptOn(a.route, { endedAt: 200, failure: makeFailure({ toldDelayMs: 1000 }) })];
    expect(step([heldUntil(1200)], failed, once, { now: 200 })).toMatchObject({ type: 'wait', untilAt: 1200 });
    expect(step([heldUntil(60_000)], failed, once, { now: 200 })).toEqual({ type: 'fail', ending: 'exhausted' });
  });

  it('leaves state in for other keys of the provider that was asked first', () => {
    const failure = makeFailure({ outcome: 'auth', scope: 'credential', onward: 'next_credential', again: false });
    const refused = [makeAttemptOn(a.route, { outcome: 'auth', failure })];
    expect(step([a, candidate('a', 'k2')], refused, once)).toMatchObject({
      candidate: { route: { id: 'a/m#k2' } },
      withoutState: false,
    });
    expect(step([a, b], refused, once)).toMatchObject({ candidate: { route: { id: 'b/m#k' } }, withoutState: true });
  });
});
