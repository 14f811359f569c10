import { describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../attempt/ledger.ts';
import type { Availability } from '../health/availability.ts';
import type { Candidate } from '../routing/plan.ts';
import { answerExhausted, type ExhaustedInput } from './answer.ts';
import type { StopCause } from './answer-class.ts';
import type { Failure } from './failure.ts';
import type { Component, Outcome, SkipOutcome } from './outcome.ts';

const NOW = 1_000_000;

const failure = (outcome: Outcome, fields: Partial<Failure> = {}): Failure => ({
  row: 'r',
  outcome,
  component: 'target',
  onward: 'next_target',
  again: false,
  scope: 'route',
  hold: null,
  weight: 0,
  refusal: true,
  requestShaped: false,
  toldDelayMs: null,
  feature: null,
  status: null,
  code: null,
  param: null,
  type: null,
  reason: '',
  ...fields,
});

let n = 0;
const attempt = (outcome: Outcome, fields: Partial<Failure> = {}, target = `p/t${n}`): AttemptRecord => ({
  n: ++n,
  route: `${target}#default`,
  target,
  credential: 'default',
  endpoint: 'h:1',
  why: '',
  charged: true,
  trial: false,
  startedAt: NOW - 100,
  headAt: null,
  status: fields.status ?? null,
  committedAt: null,
  endedAt: NOW,
  outcome,
  phase: 'done',
  failure: failure(outcome, fields),
  reason: null,
  usage: null,
  cooldownUntil: null,
});

const candidate = (
  skip: SkipOutcome | null,
  availability: Partial<Availability> = {},
  target = `p/c${++n}`,
): Candidate =>
  ({
    route: { id: `${target}#default`, target },
    target: { id: target },
    rank: skip === null ? 1 : null,
    use: skip === null ? 'serve' : 'skip',
    skip,
    availability: {
      state: 'ready',
      cause: null,
      reason: null,
      since: null,
      until: null,
      told: false,
      scope: 'route',
      ...availability,
    },
    reason: '',
  }) as unknown as Candidate;

const cooling = (cause: Outcome, untilMs: number | null = null, told = untilMs !== null) =>
  candidate('skipped_cooldown', {
    state: cause === 'rate_limited' ? 'deferred' : 'rejected',
    cause,
    until: untilMs === null ? NOW + 5000 : NOW + untilMs,
    told,
  });

const circuit = (untilMs: number) =>
  candidate('skipped_circuit', { state: 'open', cause: 'server_error', until: NOW + untilMs });

const answer = (
  attempts: readonly AttemptRecord[],
  candidates: readonly Candidate[] = [],
  fields: Partial<ExhaustedInput> = {},
) =>
  answerExhausted({
    attempts,
    candidates,
    missing: [],
    asked: { model: 'main', protocol: 'openai-chat' },
    why: 'exhausted',
    limit: null,
    maxRetryAfterMs: 60_000,
    now: NOW,
    jitter: 0,
    ...fields,
  });

const tried = (...outcomes: Outcome[]) => answer(outcomes.map((outcome) => attempt(outcome)));

describe('a total failure', () => {
  it.each<[Outcome[], number, string, false | null]>([
    [['rate_limited'], 429, 'rate_limit_exceeded', null],
    [['rate_limited', 'rate_limited'], 429, 'rate_limit_exceeded', null],
    [['quota_exhausted'], 429, 'insufficient_quota', false],
    [['overloaded', 'overloaded'], 503, 'service_unavailable', null],
    [['timeout_headers'], 504, 'upstream_timeout', null],
    [['timeout_headers', 'timeout_connect'], 504, 'upstream_timeout', false],
    [['server_error'], 502, 'upstream_error', null],
    [['server_error', 'connect_error'], 502, 'upstream_error', false],
    [['stale_socket', 'connect_error'], 502, 'upstream_error', false],
    [['model_unavailable'], 502, 'upstream_error', null],
    [['bad_generation', 'empty_completion'], 502, 'upstream_error', false],
    [['auth'], 502, 'route_misconfigured', null],
    [['billing', 'model_gone'], 502, 'route_misconfigured', false],
    [['permission', 'model_not_found'], 502, 'route_misconfigured', false],
    [['context_length', 'context_length'], 400, 'context_length_exceeded', null],
    [['payload_too_large'], 413, 'request_too_large', null],
    [['content_policy'], 400, 'content_policy_violation', null],
    [['unsupported_capability'], 400, 'unsupported_capability', null],
    [['incompatible_history'], 400, 'previous_response_not_found', null],
    [['outcome_unknown'], 502, 'outcome_unknown', false],
    // Mixed.
    [['server_error', 'timeout_headers'], 504, 'upstream_timeout', false],
    [['auth', 'server_error'], 502, 'upstream_error', false],
    [['context_length', 'overloaded'], 503, 'service_unavailable', null],
    [['payload_too_large', 'timeout_whole'], 504, 'upstream_timeout', false],
    [['quota_exhausted', 'rate_limited'], 429, 'rate_limit_exceeded', null],
    [['overloaded', 'quota_exhausted'], 429, 'insufficient_quota', false],
    [['model_gone', 'auth', 'timeout_idle', 'overloaded'], 503, 'service_unavailable', null],
    [['server_error', 'incompatible_history'], 502, 'upstream_error', false],
    [['context_length', 'incompatible_history'], 400, 'previous_response_not_found', null],
    [['server_error', 'bad_request'], 400, 'invalid_request_error', null],
  ])('%j', (outcomes, status, code, shouldRetry) => {
    expect(tried(...outcomes)).toMatchObject({ status, code, shouldRetry, retryAfterMs: null });
  });

  it.each<[string, Candidate[], number, string, false | null, number | null]>([
    ['throttles', [cooling('rate_limited', 20_000)], 429, 'rate_limit_exceeded', null, 20_000],
    ['a guessed throttle', [cooling('rate_limited')], 429, 'rate_limit_exceeded', null, null],
    ['quota', [cooling('quota_exhausted', 30_000)], 429, 'insufficient_quota', false, 30_000],
    ['auth', [cooling('auth')], 502, 'route_misconfigured', false, null],
    ['gone and quota', [cooling('model_gone'), cooling('quota_exhausted')], 429, 'insufficient_quota', false, null],
    ['circuits', [circuit(29_500), circuit(12_000)], 503, 'no_target_available', null, 12_000],
    ['a told outage', [cooling('overloaded', 9000)], 503, 'no_target_available', null, 9000],
    ['throttle and circuit', [circuit(4000), cooling('rate_limited', 20_000)], 429, 'rate_limit_exceeded', null, 4000],
    ['busy', [candidate('skipped_busy')], 503, 'no_target_available', null, 1000],
    ['disabled', [candidate('skipped_disabled', { state: 'disabled' })], 503, 'no_target_available', false, null],
    ['budget', [candidate('skipped_budget')], 429, 'budget_exceeded', null, null],
    ['state', [candidate('skipped_state')], 400, 'previous_response_not_found', null, null],
    ['capability', [candidate('skipped_capability')], 400, 'unsupported_capability', null, null],
    [
      'capability and throttle',
      [candidate('skipped_capability'), cooling('rate_limited', 5000)],
      429,
      'rate_limit_exceeded',
      null,
      5000,
    ],
    ['nothing at all', [], 503, 'no_target_available', null, null],
  ])('with nothing tried, held by %s', (_, candidates, status, code, shouldRetry, retryAfterMs) => {
    expect(answer([], candidates)).toMatchObject({ status, code, shouldRetry, retryAfterMs });
  });

  it('lets a fault of the request wait for targets that are held', () => {
    const tooLong = [attempt('context_length')];
    expect(answer(tooLong, [cooling('rate_limited', 5000)])).toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterMs: 5000,
    });
    expect(answer(tooLong, [circuit(5000)])).toMatchObject({ code: 'no_target_available' });
    expect(answer(tooLong, [candidate('skipped_capability')])).toMatchObject({ code: 'context_length_exceeded' });
  });

  it('tells what was tried before what was held', () => {
    expect(answer([attempt('server_error')], [cooling('rate_limited', 5000)])).toMatchObject({
      code: 'upstream_error',
      retryAfterMs: null,
    });
    expect(answer([attempt('rate_limited', { toldDelayMs: 9000 })], [candidate('skipped_capability')])).toMatchObject({
      code: 'rate_limit_exceeded',
      retryAfterMs: 9000,
    });
  });

  it('asks for the whole conversation where others could serve that', () => {
    const elsewhere = [candidate('skipped_state')];
    const code = (outcome: Outcome, why?: StopCause) => answer([attempt(outcome)], elsewhere, why && { why }).code;
    expect(code('overloaded')).toBe('previous_response_not_found');
    expect(answer([], [circuit(5000), ...elsewhere]).code).toBe('previous_response_not_found');
    expect(answer([attempt('server_error')], elsewhere).message).toContain('cannot be rebuilt');
    // The request's own limits stay what they are.
    expect(code('server_error', 'failover_off')).toBe('upstream_error');
    expect(code('server_error', 'timeout_total')).toBe('upstream_timeout');
  });

  it('lets a class that stops decide at once', () => {
    const stopped = [attempt('server_error'), attempt('content_policy', { component: 'policy', reason: 'no' })];
    expect(answer(stopped, [], { why: 'stopped' })).toMatchObject({
      code: 'content_policy_violation',
      component: 'policy',
      message: 'no',
    });
    expect(answer(stopped)).toMatchObject({ code: 'upstream_error' });
  });

  it('keeps the words of the provider for a bad request, and only there', () => {
    const fields = {
      status: 422,
      code: 'invalid_type',
      param: 'seed',
      type: 'invalid_request_error',
      reason: 'Invalid type for seed.',
      component: 'client' as const,
    };
    expect(answer([attempt('bad_request', fields)])).toMatchObject({
      status: 400,
      code: 'invalid_request_error',
      providerCode: 'invalid_type',
      providerParam: 'seed',
      providerType: 'invalid_request_error',
      message: 'Invalid type for seed.',
      component: 'client',
      shouldRetry: null,
    });
    expect(answer([attempt('bad_request', { status: 410 })])).toMatchObject({ status: 410, code: 'resource_gone' });
    expect(answer([attempt('bad_request', { status: 404 })])).toMatchObject({
      status: 404,
      code: 'not_found',
      providerCode: null,
    });
  });

  it('is the gateway’s own fault where a local resource is short', () => {
    const local = attempt('bad_gateway', { component: 'gateway', onward: 'stop' });
    expect(answer([local])).toMatchObject({
      status: 503,
      code: 'gateway_overloaded',
      component: 'gateway',
      retryAfterMs: 1000,
      shouldRetry: null,
    });
  });

  it('names the limit that ended it', () => {
    const late = [attempt('server_error'), attempt('timeout_total', { component: 'deadline' })];
    const told = answer(late, [], { why: 'timeout_total', limit: 800 });
    expect(told).toMatchObject({
      status: 504,
      code: 'upstream_timeout',
      component: 'deadline',
      reason: 'timeout_total',
      shouldRetry: false,
    });
    expect(told.message).toContain('limit of 800 ms in all (timeouts.total)');
    expect(answer([], [], { why: 'timeout_commit' })).toMatchObject({
      status: 504,
      component: 'deadline',
      reason: 'timeout_commit',
      shouldRetry: false,
    });
    expect(answer([], [cooling('rate_limited', 5000)], { why: 'timeout_commit' })).toMatchObject({
      status: 429,
      retryAfterMs: 5000,
    });
    expect(answer([attempt('server_error')], [], { why: 'max_attempts', limit: 1 }).message).toContain(
      '1 attempt (retry.maxAttempts)',
    );
  });

  it('tells of an unknown outcome even after one attempt', () => {
    const unknown = answer([attempt('timeout_headers')], [], { why: 'outcome_unknown' });
    expect(unknown).toMatchObject({
      status: 502,
      code: 'outcome_unknown',
      component: 'target',
      reason: 'outcome_unknown',
      shouldRetry: false,
    });
  });

  it('keeps the words that agents act on', () => {
    const words = 'prompt is too long: 9 tokens > 8 maximum';
    expect(answer([attempt('context_length', { reason: words })]).message).toBe(words);
    expect(answer([attempt('context_length', { reason: 'Input is too long.' })]).message).toBe(
      'Prompt is too long for every target. Input is too long.',
    );
  });

  it('names the features that nobody has', () => {
    expect(answer([], [candidate('skipped_capability')], { missing: ['images', 'tools'] }).message).toContain(
      'images, tools',
    );
    expect(answer([attempt('unsupported_capability', { feature: 'prefill' })]).message).toContain('prefill');
    const refused = attempt('unsupported_capability', { refusedParts: ['beta:x-1', 'metadata'], reason: 'no' });
    const again = attempt('unsupported_capability', { refusedParts: ['metadata'], refusedValue: 'this level' });
    expect(answer([refused, again]).message).toMatch(/needs: anthropic-beta x-1, metadata, this level\.$/);
    const nameless = attempt('unsupported_capability', { reason: 'The plan has no such thing.' });
    expect(answer([nameless]).message).toMatch(/needs\. The plan has no such thing\.$/);
    expect(answer([attempt('unsupported_capability')]).message).toMatch(/needs\.$/);
  });

  it.each<[Outcome, Component, Component]>([
    ['connect_error', 'endpoint', 'endpoint'],
    ['auth', 'credential', 'credential'],
    ['server_error', 'target', 'target'],
    ['context_length', 'client', 'client'],
  ])('says whose fault it is: %s', (outcome, of, expected) => {
    expect(answer([attempt(outcome, { component: of })]).component).toBe(expected);
  });

  it('lists at most the last 16 attempts', () => {
    const told = answer(
      Array.from({ length: 20 }, (_, i) => attempt('server_error', { status: 500 }, `p/n${i}`)),
    ).attempts;
    expect(told).toHaveLength(16);
    expect(told.at(-1)).toEqual({ target: 'p/n19', outcome: 'server_error', status: 500, ms: 100 });
  });
});

describe('retry-after', () => {
  const limited = (ms: number) => attempt('rate_limited', { toldDelayMs: ms });

  it('is the soonest return that a server told', () => {
    expect(answer([limited(30_000), limited(7000), limited(90_000)])).toMatchObject({
      retryAfterMs: 7000,
      shouldRetry: null,
    });
    expect(answer([limited(3_600_000), limited(7000)])).toMatchObject({ retryAfterMs: 7000, shouldRetry: null });
  });

  it('is left out beyond the limit, and a repeat is then useless', () => {
    expect(answer([limited(3_600_000), limited(7_200_000)])).toMatchObject({ retryAfterMs: null, shouldRetry: false });
    expect(answer([], [cooling('rate_limited', 3_600_000)])).toMatchObject({ retryAfterMs: null, shouldRetry: false });
    expect(answer([], [circuit(600_000)])).toMatchObject({ retryAfterMs: null, shouldRetry: false });
  });

  it('is left out, and nothing forbidden, where a guessed hold may end sooner', () => {
    const guessed = candidate(null, { state: 'deferred', cause: 'rate_limited', until: NOW + 5000 });
    expect(answer([limited(3_600_000)], [guessed])).toMatchObject({ retryAfterMs: null, shouldRetry: null });
  });

  it('is the later of two words about one route', () => {
    const held = { state: 'deferred', cause: 'rate_limited', until: NOW + 9000, told: true } as const;
    expect(
      answer([attempt('rate_limited', { toldDelayMs: 3000 }, 'p/x')], [candidate('skipped_cooldown', held, 'p/x')]),
    ).toMatchObject({ retryAfterMs: 9000 });
  });

  it('leaves out routes that this request cannot use', () => {
    const held = { state: 'deferred', cause: 'rate_limited', until: NOW + 2000, told: true } as const;
    const useless = candidate('skipped_cooldown', held, 'p/small');
    expect(answer([attempt('context_length', {}, 'p/small'), limited(9000)], [useless])).toMatchObject({
      retryAfterMs: 9000,
    });
    expect(answer([limited(9000)], [candidate('skipped_capability', held)])).toMatchObject({ retryAfterMs: 9000 });
  });

  it('is rounded up, with at most a tenth more, and never beyond the limit', () => {
    expect(answer([limited(6001)]).retryAfterMs).toBe(7000);
    expect(answer([limited(30_000)], [], { jitter: 0.999 }).retryAfterMs).toBe(33_000);
    expect(answer([limited(60_000)], [], { jitter: 0.999 }).retryAfterMs).toBe(60_000);
    expect(answer([limited(1)]).retryAfterMs).toBe(1000);
  });
});
