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
import type { Capabilities } from '../model/capability.ts';
import type { RetrySettings } from '../model/settings.ts';
import type { Candidate } from '../routing/plan.ts';
import type { AttemptRecord, RequestLedger } from './ledger.ts';
import { type NextStep, nextStep, type StepInput } from './next-step.ts';

const candidate = (
  provider: string,
  key = 'k',
  more: Partial<Candidate> = {},
  capabilities: Capabilities = {},
): Candidate => {
  const route = makeRoute(provider, 'm', key);
  return makeCandidate(makeTarget([route], { capabilities }), route, more);
};

const attemptOn = ({ route }: Candidate, more: Partial<AttemptRecord> = {}): AttemptRecord =>
  makeAttemptOn(route, more);

type Given = {
  readonly candidates: readonly Candidate[];
  readonly attempts?: readonly AttemptRecord[];
  readonly retry?: Partial<RetrySettings>;
  readonly more?: Partial<StepInput>;
  readonly effects?: readonly string[];
  readonly replay?: 'auto' | 'always' | 'safe';
};

function step({ candidates, attempts = [], retry = {}, more = {}, effects = [], replay = 'auto' }: Given): NextStep {
  const settings = { ...SETTINGS, replay, retry: { ...SETTINGS.retry, sameTarget: 0, ...retry } };
  return nextStep({
    ledger: { id: 'r', attempts, committed: null, ended: null, plans: [] } as unknown as RequestLedger,
    plan: makePlan(candidates),
    policy: { settings, commitAt: 10_000, totalAt: 20_000, failover: true, effects },
    now: 200,
    random: 0.5,
    roundStartedAt: 0,
    busy: new Map(),
    waitedFor: null,
    ...more,
  });
}

const basePolicy = () => ({
  settings: { ...SETTINGS, retry: { ...SETTINGS.retry, sameTarget: 0 as const } },
  commitAt: 10_000,
  totalAt: 20_000,
  failover: true,
  effects: [],
});

const routeOf = (next: NextStep): string | null => (next.type === 'send' ? next.candidate.route.id : null);

describe('the next step', () => {
  const a = candidate('a');
  const b = candidate('b');
  const c = candidate('c');

  it('goes over the plan and ends when it is through', () => {
    expect(routeOf(step({ candidates: [a, b] }))).toBe('a/m#k');
    expect(routeOf(step({ candidates: [a, b], attempts: [attemptOn(a)] }))).toBe('b/m#k');
    expect(step({ candidates: [a], attempts: [attemptOn(a)] })).toEqual({ type: 'fail', ending: 'exhausted' });
    expect(step({ candidates: [] })).toEqual({ type: 'fail', ending: 'exhausted' });
  });

  it('stops when a second provider calls the same request bad, and not when the same provider does', () => {
    const label = { failure: makeFailure({ row: 'label', requestShaped: true, weight: 0 }) };
    const sameProvider = candidate('a', 'k2');
    expect(step({ candidates: [a, b, c], attempts: [attemptOn(a, label), attemptOn(b, label)] })).toEqual({
      type: 'fail',
      ending: 'stopped',
    });
    expect(
      routeOf(
        step({ candidates: [a, sameProvider, c], attempts: [attemptOn(a, label), attemptOn(sameProvider, label)] }),
      ),
    ).toBe('c/m#k');
    const other = { failure: makeFailure({ row: 'other', requestShaped: true }) };
    expect(routeOf(step({ candidates: [a, b, c], attempts: [attemptOn(a, label), attemptOn(b, other)] }))).toBe(
      'c/m#k',
    );
  });

  it('repeats the only target once by default, and none while another is eligible', () => {
    const auto = { sameTarget: 'auto' } as const;
    expect(step({ candidates: [a], attempts: [attemptOn(a)], retry: auto })).toMatchObject({
      type: 'wait',
      untilAt: 325,
    });
    expect(routeOf(step({ candidates: [a], attempts: [attemptOn(a)], retry: auto, more: { now: 325 } }))).toBe('a/m#k');
    expect(step({ candidates: [a], attempts: [attemptOn(a), attemptOn(a)], retry: auto, more: { now: 9000 } })).toEqual(
      { type: 'fail', ending: 'exhausted' },
    );
    expect(routeOf(step({ candidates: [a, b], attempts: [attemptOn(a)], retry: auto }))).toBe('b/m#k');
  });

  it('takes a told delay as the floor of a repeat, and goes on when it is long', () => {
    const told = (toldDelayMs: number) => [attemptOn(a, { failure: makeFailure({ toldDelayMs }) })];
    expect(step({ candidates: [a, b], attempts: told(3000), retry: { sameTarget: 1 } })).toMatchObject({
      type: 'wait',
      untilAt: 3200,
    });
    expect(routeOf(step({ candidates: [a, b], attempts: told(6000), retry: { sameTarget: 1 } }))).toBe('b/m#k');
    expect(
      step({ candidates: [a, b], attempts: told(6000), retry: { sameTarget: 1, waitForCooldownMs: 7000 } }),
    ).toMatchObject({ type: 'wait', untilAt: 6200 });
  });

  it('does not repeat into an open circuit', () => {
    const open = candidate('a', 'k', {
      use: 'skip',
      skip: 'skipped_circuit',
      availability: { ...READY, state: 'open', until: 900 },
    });
    expect(routeOf(step({ candidates: [b, open], attempts: [attemptOn(a)], retry: { sameTarget: 2 } }))).toBe('b/m#k');
  });

  it('never asks a silent target again, not with another key either', () => {
    const sibling = candidate('a', 'k2');
    const silence = attemptOn(a, {
      outcome: 'timeout_headers',
      failure: makeFailure({ outcome: 'timeout_headers', again: false }),
    });
    expect(step({ candidates: [a, sibling], attempts: [silence] })).toEqual({ type: 'fail', ending: 'exhausted' });
  });

  it('asks only larger or unknown windows when the context was too long', () => {
    const small = candidate('a', 'k', {}, { contextWindow: 1000 });
    const same = candidate('b', 'k', {}, { contextWindow: 1000 });
    const larger = candidate('c', 'k', {}, { contextWindow: 2000 });
    const failure = makeFailure({ outcome: 'context_length', onward: 'next_larger_window', again: false });
    const tooLong = attemptOn(small, { outcome: 'context_length', failure });
    expect(routeOf(step({ candidates: [small, same, larger], attempts: [tooLong] }))).toBe('c/m#k');
    expect(routeOf(step({ candidates: [small, same, b], attempts: [tooLong] }))).toBe('b/m#k');
    expect(step({ candidates: [small, same], attempts: [tooLong] })).toEqual({ type: 'fail', ending: 'exhausted' });
  });

  it('leaves out targets that lack what one refused', () => {
    const lacking = candidate('b', 'k', {}, { images: false });
    const failure = makeFailure({ outcome: 'unsupported_capability', onward: 'next_capable', feature: 'images' });
    expect(routeOf(step({ candidates: [a, lacking, c], attempts: [attemptOn(a, { failure })] }))).toBe('c/m#k');
  });

  it('repeats once without the state of another issuer, and keeps it out for whoever follows', () => {
    const failure = makeFailure({
      outcome: 'incompatible_history',
      onward: 'same_without_state',
      again: false,
      refusal: true,
    });
    const refused = attemptOn(a, { outcome: 'incompatible_history', failure });
    expect(step({ candidates: [a, b], attempts: [refused] })).toMatchObject({
      type: 'send',
      withoutState: true,
      candidate: { route: { id: 'a/m#k' } },
    });
    expect(step({ candidates: [a, b], attempts: [refused, refused] })).toMatchObject({
      type: 'send',
      withoutState: true,
      candidate: { route: { id: 'b/m#k' } },
    });
  });

  it('replays a stale socket at no charge', () => {
    const stale = attemptOn(a, { outcome: 'stale_socket', failure: null, phase: 'sent' });
    expect(step({ candidates: [a, b], attempts: [stale] })).toMatchObject({
      type: 'send',
      charged: false,
      freshSocket: true,
      candidate: { route: { id: 'a/m#k' } },
    });
    expect(step({ candidates: [a, b], attempts: [stale], effects: ['mcp tool'] })).toEqual({
      type: 'fail',
      ending: 'outcome_unknown',
    });
  });

  it('goes on within its attempts when the stale socket’s route can’t be had any more', () => {
    const stale = attemptOn(a, { outcome: 'stale_socket', failure: null, phase: 'sent' });
    const busy = { busy: new Map([['a/m#k', 1]]) };
    expect(routeOf(step({ candidates: [a, b], attempts: [stale], more: busy }))).toBe('b/m#k');
    const one = { maxAttempts: 1 };
    expect(step({ candidates: [a, b], attempts: [stale], retry: one, more: busy })).toEqual({
      type: 'fail',
      ending: 'max_attempts',
    });
  });

  it('keeps state for the provider that was asked first', () => {
    const bound = { state: { removable: true, bound: true } };
    const free = { state: { removable: true, bound: false } };
    const policy = (state: object) => ({ ...basePolicy(), ...state });
    const down = [attemptOn(a, { failure: makeFailure({ refusal: true }) })];
    expect(step({ candidates: [a, b], attempts: down, more: { policy: policy(free) } })).toMatchObject({
      withoutState: true,
    });
    expect(step({ candidates: [a, b], attempts: down, more: { policy: policy(bound) } })).toMatchObject({
      type: 'fail',
    });
    const none = { state: { removable: false, bound: false } };
    const refused = attemptOn(a, {
      failure: makeFailure({ onward: 'same_without_state', again: false, refusal: true }),
    });
    expect(routeOf(step({ candidates: [a, b], attempts: [refused], more: { policy: policy(none) } }))).toBe('b/m#k');
  });

  it.each([
    ['an unknown outcome', { phase: 'sent' }, 'auto', false],
    ['a refusal', { failure: makeFailure({ refusal: true }) }, 'auto', true],
    ['what never left', { phase: 'connecting' }, 'auto', true],
    ['an unknown outcome, replay: always', { phase: 'sent' }, 'always', true],
  ] as const)('a request with effects goes on behind %s only if that is safe', (_name, more, replay, goesOn) => {
    const next = step({ candidates: [a, b], attempts: [attemptOn(a, more)], effects: ['mcp tool'], replay });
    expect(next).toEqual(
      goesOn ? expect.objectContaining({ type: 'send' }) : { type: 'fail', ending: 'outcome_unknown' },
    );
  });

  it('replay: safe takes every request for one with effects', () => {
    expect(step({ candidates: [a, b], attempts: [attemptOn(a, { phase: 'sent' })], replay: 'safe' })).toEqual({
      type: 'fail',
      ending: 'outcome_unknown',
    });
  });
});

describe('waits', () => {
  const held = (provider: string, until: number, told: boolean) =>
    candidate(provider, 'k', {
      use: 'skip',
      skip: 'skipped_cooldown',
      availability: { ...READY, state: 'deferred', until, told },
    });
  const b = candidate('b');

  it('are for models that wait, and only for whoever comes back in time', () => {
    const candidates = [held('a', 1200, true), held('c', 900, false)];
    expect(step({ candidates })).toEqual({ type: 'fail', ending: 'exhausted' });
    expect(step({ candidates, retry: { waitForCooldownMs: 500 } })).toEqual({ type: 'fail', ending: 'exhausted' });
    expect(step({ candidates, retry: { waitForCooldownMs: 5000 } })).toMatchObject({
      type: 'wait',
      untilAt: 900,
      newRound: true,
    });
    expect(step({ candidates: [held('a', 10_001, true)], retry: { waitForCooldownMs: 60_000 } })).toEqual({
      type: 'fail',
      ending: 'exhausted',
    });
  });

  it('are not waited for where the route lacks what the request goes on from', () => {
    const candidates = [held('a', 1200, true), { ...held('c', 900, false), lacksState: true as const }];
    expect(step({ candidates, retry: { waitForCooldownMs: 5000 } })).toMatchObject({ untilAt: 1200 });
    expect(step({ candidates: candidates.slice(1), retry: { waitForCooldownMs: 5000 } })).toEqual({
      type: 'fail',
      ending: 'exhausted',
    });
  });

  it('pass over an eligible target only with preferSameTarget, for a told hold that stands before it', () => {
    const waits = { waitForCooldownMs: 5000, preferSameTarget: true };
    const ordered = (first: Candidate) => ({
      more: { plan: { ...makePlan([b, first]), order: [first.route.target, 'b/m'] } },
    });
    expect(
      routeOf(step({ candidates: [], retry: { waitForCooldownMs: 5000 }, ...ordered(held('a', 900, true)) })),
    ).toBe('b/m#k');
    expect(step({ candidates: [], retry: waits, ...ordered(held('a', 900, true)) })).toMatchObject({
      type: 'wait',
      untilAt: 900,
    });
    expect(routeOf(step({ candidates: [], retry: waits, ...ordered(held('a', 900, false)) }))).toBe('b/m#k');
    expect(routeOf(step({ candidates: [b, held('c', 900, true)], retry: waits }))).toBe('b/m#k');
  });
});

describe('a target that refuses parts of the request', () => {
  const a = candidate('a');
  const spare = candidate('a', 'spare');
  const b = candidate('b');
  const refused = (...refusedParts: string[]): AttemptRecord =>
    attemptOn(a, {
      outcome: 'unsupported_capability',
      failure: makeFailure({ onward: 'same_without_parts', again: false, refusal: true, refusedParts }),
    });

  it('is asked once more without each of them', () => {
    expect(step({ candidates: [a, b], attempts: [refused('beta:x-1')] })).toMatchObject({
      type: 'send',
      candidate: { route: { id: 'a/m#k' } },
      why: 'again without anthropic-beta x-1',
      withoutParts: ['beta:x-1'],
    });
    expect(step({ candidates: [a, b], attempts: [refused('beta:x-1'), refused('metadata')] })).toMatchObject({
      candidate: { route: { id: 'a/m#k' } },
      withoutParts: ['beta:x-1', 'metadata'],
    });
  });

  it('and no more when it refuses nothing new: the next target gets everything', () => {
    const attempts = [refused('beta:x-1', 'metadata'), refused('metadata')];
    expect(step({ candidates: [a, b], attempts })).toMatchObject({
      candidate: { route: { id: 'b/m#k' } },
      withoutParts: [],
    });
    expect(step({ candidates: [a], attempts })).toEqual({ type: 'fail', ending: 'exhausted' });
  });

  it('its other credentials leave them out too', () => {
    const attempts = [
      refused('metadata'),
      attemptOn(a, { outcome: 'rate_limited', failure: makeFailure({ onward: 'next_route' }) }),
    ];
    expect(step({ candidates: [a, spare], attempts })).toMatchObject({
      candidate: { route: { id: 'a/m#spare' } },
      withoutParts: ['metadata'],
    });
  });

  it('within the limit of attempts', () => {
    const next = step({ candidates: [a, b], attempts: [refused('metadata')], retry: { maxAttempts: 1 } });
    expect(next).toEqual({ type: 'fail', ending: 'max_attempts' });
  });
});
