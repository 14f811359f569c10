import { expect, it } from 'vitest';
import { makeAttemptOn, makeCandidate, makeFailure, makeRoute, makeTarget, READY } from '../../../test/kit/samples.ts';
import type { Availability } from '../health/availability.ts';
import type { Candidate } from '../routing/plan.ts';
import { answerExhausted } from './answer.ts';
import { knownReturn } from './answer-wait.ts';
import type { Failure } from './failure.ts';
import type { SkipOutcome } from './outcome.ts';

const NOW = 1_000_000;

function held(provider: string, skip: SkipOutcome, availability: Partial<Availability>): Candidate {
  const route = makeRoute(provider);
  const seen = { ...READY, cause: 'server_error', ...availability };
  return makeCandidate(makeTarget([route]), route, { use: 'skip', skip, rank: null, availability: seen });
}

const trial = held('a', 'skipped_circuit', { state: 'half_open' });
const circuit = (ms: number) => held('b', 'skipped_circuit', { state: 'open', until: NOW + ms });
const busy = held('b', 'skipped_busy', {});
const throttle = held('b', 'skipped_cooldown', { state: 'deferred', cause: 'rate_limited', until: NOW + 5000 });

const answer = (candidates: readonly Candidate[], maxRetryAfterMs = 60_000) =>
  answerExhausted({
    attempts: [],
    candidates,
    missing: [],
    asked: { model: 'main', protocol: 'openai-chat' },
    why: 'exhausted',
    limit: null,
    maxRetryAfterMs,
    now: NOW,
    jitter: 0,
  });

it.each<[string, Candidate[], number, string, number | null]>([
  ['alone', [trial], 503, 'no_target_available', 1000],
  ['beside a busy target', [trial, busy], 503, 'no_target_available', 1000],
  ['beside a circuit whose end is known', [trial, circuit(12_000)], 503, 'no_target_available', 12_000],
  ['beside one that is open for too long', [trial, circuit(120_000)], 503, 'no_target_available', 1000],
  ['but a limit is not over because of it', [trial, throttle], 429, 'rate_limit_exceeded', null],
])('a trial whose end nobody knows: %s', (_, candidates, status, code, retryAfterMs) => {
  expect(answer(candidates)).toMatchObject({ status, code, retryAfterMs, shouldRetry: null });
});

it('leaves out what a target told that cannot serve the request', () => {
  const failed = (provider: string, credential: string, failure: Partial<Failure>) =>
    makeAttemptOn(makeRoute(provider, 'm', credential), {
      outcome: failure.outcome ?? null,
      endedAt: NOW,
      failure: makeFailure(failure),
    });
  const limited = failed('a', 'one', { outcome: 'rate_limited', toldDelayMs: 2000 });
  const tooLong = failed('a', 'two', { outcome: 'context_length' });
  const other = failed('b', 'one', { outcome: 'rate_limited', toldDelayMs: 9000 });
  const { toldAt } = knownReturn([limited, tooLong, other], []);
  expect([toldAt, knownReturn([limited, other], []).toldAt]).toEqual([NOW + 9000, NOW + 2000]);
});

it('says nothing of a return at which the route is shut for another reason', () => {
  const told = makeAttemptOn(makeRoute('b'), {
    outcome: 'rate_limited',
    endedAt: NOW,
    failure: makeFailure({ outcome: 'rate_limited', toldDelayMs: 1000 }),
  });
  const shut = (state: Availability['state'], isTold = false) =>
    knownReturn([told], [held('b', 'skipped_cooldown', { state, cause: 'auth', until: NOW + 300_000, told: isTold })])
      .toldAt;
  expect([shut('rejected'), shut('disabled'), shut('rejected', true)]).toEqual([null, null, NOW + 300_000]);
});

it('says nothing of a return at which the target can not do what the request needs', () => {
  const told = makeAttemptOn(makeRoute('b'), {
    outcome: 'rate_limited',
    endedAt: NOW,
    failure: makeFailure({ outcome: 'rate_limited', toldDelayMs: 1000 }),
  });
  const until = NOW + 1000;
  const seenAs = (skip: SkipOutcome) =>
    knownReturn([told], [held('b', skip, { state: 'deferred', cause: 'rate_limited', until, told: true })]).toldAt;
  expect([seenAs('skipped_capability'), seenAs('skipped_state'), seenAs('skipped_cooldown')]).toEqual([
    null,
    null,
    until,
  ]);
});

it('says nothing that is longer than the configuration allows', () => {
  expect(answer([trial], 500)).toMatchObject({ retryAfterMs: null, shouldRetry: null });
});
