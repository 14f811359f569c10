import { describe, expect, it } from 'vitest';
import { askRow, doesAs, playScenario, scenarioOf, twoProviders } from '../../../test/kit/simulation.ts';
import type { Outcome } from '../../core/failure/outcome.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import { behaviourOf } from './behaviour-of.ts';
import type { RecordedAttempt } from './recorded.ts';

const attempt = (outcome: Outcome | null, change: Partial<RecordedAttempt> = {}): RecordedAttempt => ({
  route: 'a/m#default',
  at: 1_000,
  outcome,
  headAt: null,
  firstOutputAt: null,
  endedAt: 4_000,
  heldUntil: null,
  outputTokens: null,
  ...change,
});

/** What the gateway writes down of a first attempt that meets a behaviour. */
async function firstOutcome(recorded: RecordedAttempt, protocol: Protocol, stream: boolean) {
  const does = behaviourOf(recorded, recorded.at);
  if (does === null) throw new Error('nothing is known');
  const config = twoProviders(protocol, { timeouts: { firstOutput: '30s', idle: '40s', headers: '20s' } });
  const run = await playScenario(
    scenarioOf({ config, asks: [askRow({ protocol, shape: { stream } })], providers: [doesAs('a/*', does)] }),
  );
  return run.requests[0]?.ledger.attempts[0];
}

const PROTOCOLS: readonly Protocol[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];
const FORMS = PROTOCOLS.flatMap((protocol) => [true, false].map((stream) => ({ protocol, stream })));

/** Outcomes before any output that are written down as they were, whatever the protocol and the form. */
const FAITHFUL: readonly Outcome[] = [
  'rate_limited',
  'quota_exhausted',
  'billing',
  'overloaded',
  'server_error',
  'bad_gateway',
  'model_unavailable',
  'auth',
  'permission',
  'model_not_found',
  'model_gone',
  'context_length',
  'payload_too_large',
  'content_policy',
  'incompatible_history',
  'bad_generation',
  'bad_request',
  'connect_error',
  'protocol_error',
  'incomplete_stream',
  'timeout_connect',
];

describe('behaviourOf', () => {
  it.each(FORMS)('makes the gateway write the same outcome down: $protocol, stream $stream', async (form) => {
    const got = await Promise.all(
      FAITHFUL.map(async (outcome) => [
        outcome,
        (await firstOutcome(attempt(outcome), form.protocol, form.stream))?.outcome,
      ]),
    );
    expect(got).toEqual(FAITHFUL.map((outcome) => [outcome, outcome]));
  });

  const streams: readonly Outcome[] = ['empty_stream', 'empty_completion', 'timeout_headers', 'timeout_first_output'];

  it.each(streams)('does so of a stream: %s', async (outcome) => {
    expect((await firstOutcome(attempt(outcome), 'openai-chat', true))?.outcome).toBe(outcome);
  });

  it('takes an answer as long as it took, until its first output and to its end', async () => {
    const recorded = attempt('ok', { headAt: 1_200, firstOutputAt: 1_900, endedAt: 4_000, outputTokens: 321 });
    const got = await firstOutcome(recorded, 'openai-chat', true);
    expect(got).toMatchObject({ outcome: 'ok', usage: { outputTokens: 321 } });
    expect((got?.committedAt ?? 0) - (got?.startedAt ?? 0)).toBe(900);
    expect((got?.endedAt ?? 0) - (got?.startedAt ?? 0)).toBe(3_000);
  });

  it('breaks off behind output where it broke off', async () => {
    const recorded = attempt('interrupted', { headAt: 1_200, firstOutputAt: 1_900 });
    const got = await firstOutcome(recorded, 'openai-chat', true);
    expect(got).toMatchObject({ outcome: 'interrupted', phase: 'streaming' });
  });

  it('tells what is left of a hold, and nothing of one that is over', async () => {
    const recorded = attempt('rate_limited', { heldUntil: 31_000 });
    expect(behaviourOf(recorded, 11_000)).toMatchObject({ status: 429, retryAfterMs: 20_000 });
    // The gateway counts from the head on, which came two seconds late.
    const late = attempt('rate_limited', { headAt: 3_000, heldUntil: 31_000 });
    expect(behaviourOf(late, 11_000)).toMatchObject({ headMs: 2_000, retryAfterMs: 18_000 });
    expect(behaviourOf(recorded, 31_000)).not.toHaveProperty('retryAfterMs');
    // It may be an open circuit's.
    expect(behaviourOf(attempt('overloaded', { heldUntil: 31_000 }), 11_000)).not.toHaveProperty('retryAfterMs');
    const got = await firstOutcome(recorded, 'openai-chat', true);
    expect((got?.cooldownUntil ?? 0) - (got?.endedAt ?? 0)).toBe(30_000);
  });

  const cutOff: readonly (Outcome | null)[] = [null, 'client_closed', 'abandoned', 'hedge_lost', 'timeout_total'];

  it.each(cutOff)('knows nothing of what somebody else ended before it said anything: %s', (outcome) => {
    expect(behaviourOf(attempt(outcome), 1_000)).toBeNull();
    expect(behaviourOf(attempt(outcome, { headAt: 1_100, firstOutputAt: 1_200 }), 1_000)).not.toBeNull();
  });
});
