import type { Outcome } from '../../core/failure/outcome.ts';
import type { Behaviour } from '../scenario/scenario.ts';
import { isAnswered, isCutOff, type RecordedAttempt } from './recorded.ts';

const says = (status: number, code: string | null, message: string, more: Behaviour['error'] = {}): Behaviour => ({
  status,
  error: { ...(code === null ? {} : { code }), message, ...more },
});

/**
 * What makes the gateway write each outcome down. The outcome is what is replayed: the status that was recorded may be
 * any of those that mean the same. Silences last for ever, since nobody knows what was behind them.
 */
export const FAILURES: Readonly<Partial<Record<Outcome, Behaviour>>> = {
  rate_limited: says(429, 'rate_limit_exceeded', 'Rate limit reached.'),
  quota_exhausted: says(429, 'insufficient_quota', 'You exceeded your current quota, please check your plan.', {
    type: 'insufficient_quota',
  }),
  billing: says(402, null, 'Payment required.'),
  overloaded: says(503, 'server_is_overloaded', 'Overloaded', { type: 'overloaded_error' }),
  server_error: says(503, null, 'Service unavailable.'),
  bad_gateway: says(502, null, 'Bad gateway.'),
  model_unavailable: says(409, null, 'Conflict.'),
  auth: says(401, null, 'Incorrect API key provided.'),
  permission: says(403, null, 'Forbidden.'),
  model_not_found: says(404, 'model_not_found', 'The model does not exist.'),
  model_gone: says(410, 'model_retired', 'This model has been retired.', { type: 'model_retired' }),
  context_length: says(400, 'context_length_exceeded', 'prompt is too long: 2300 tokens > 1000 maximum'),
  payload_too_large: says(413, null, 'The request is too large.'),
  content_policy: says(400, 'content_policy_violation', 'Rejected.', { type: 'content_policy_violation' }),
  unsupported_capability: says(400, null, 'This model does not support tools.', { param: 'tools' }),
  incompatible_history: says(400, null, 'messages.1.content.0: Invalid `signature` in `thinking` block'),
  bad_generation: says(400, 'tool_use_failed', 'Failed to call a function.', { type: 'tool_use_failed' }),
  bad_request: says(400, null, 'A value is not valid.'),
  connect_error: { refuses: 'refused' },
  protocol_error: { body: 'text' },
  empty_stream: { body: 'empty' },
  empty_completion: { words: 0 },
  incomplete_stream: { fault: { kind: 'close', at: 'before_output' } },
  interrupted: { fault: { kind: 'close', at: 'before_output' } },
  outcome_unknown: { fault: { kind: 'close', at: 'before_output' } },
  timeout_connect: { connectMs: null },
  timeout_headers: { headMs: null },
  timeout_first_output: { fault: { kind: 'stall', at: 'before_output' } },
  timeout_idle: { fault: { kind: 'stall', at: 'before_output' } },
  timeout_progress: { fault: { kind: 'stall', at: 'before_output' } },
  timeout_whole: { fault: { kind: 'stall', at: 'before_output' } },
};

/**
 * Ends that cause a hold by themselves. Of others the record does not tell a hold that was told from a circuit that was
 * open by then, and a circuit is the new gateway's own affair.
 */
const HELD: readonly (Outcome | null)[] = ['rate_limited', 'quota_exhausted'];

const FINISHES: Readonly<Partial<Record<Outcome, NonNullable<Behaviour['finish']>>>> = {
  ok_truncated: 'length',
  ok_filtered: 'filter',
};

const WORDS = 8;

/**
 * What the provider did then, as what it does in a send at `at` (epoch ms, as the attempt's moments). Null: nobody
 * knows, since somebody else ended it before it had said anything.
 */
export function behaviourOf(attempt: RecordedAttempt, at: number): Behaviour | null {
  const { outcome, firstOutputAt, headAt } = attempt;
  const headMs = headAt === null ? {} : { headMs: spanOf(attempt.at, headAt) };
  if (firstOutputAt !== null) return { ...headMs, ...speak(attempt, firstOutputAt) };
  if (outcome === null || isCutOff(outcome)) return null;
  if (isAnswered(outcome)) return { ...headMs, ...speak(attempt, attempt.endedAt ?? attempt.at) };
  const failure = FAILURES[outcome];
  return failure === undefined
    ? null
    : { ...headMs, ...failure, ...tellHold(attempt, at + spanOf(attempt.at, headAt ?? attempt.at)) };
}

/** An answer from its first output on; one that failed behind it breaks off in the middle. */
function speak({ outcome, at, headAt, endedAt, outputTokens }: RecordedAttempt, firstOutputAt: number): Behaviour {
  const isGood = isAnswered(outcome) || isCutOff(outcome);
  const words = isGood ? WORDS : WORDS / 2;
  const finish = outcome === null ? undefined : FINISHES[outcome];
  const kind = outcome?.startsWith('timeout_') ? 'stall' : 'close';
  return {
    firstWordMs: spanOf(headAt ?? at, firstOutputAt),
    wordMs: Math.round(spanOf(firstOutputAt, endedAt ?? firstOutputAt) / Math.max(1, words - 1)),
    words: WORDS,
    ...(outputTokens === null ? { usage: false } : { hiddenTokens: Math.max(0, outputTokens - WORDS) }),
    ...(finish === undefined ? {} : { finish }),
    ...(isGood ? {} : { fault: { kind, at: words } }),
  };
}

/** What was left, when its head came (from where the gateway counts), of the time for which it was held. */
const tellHold = ({ outcome, heldUntil }: RecordedAttempt, at: number): Behaviour =>
  heldUntil === null || heldUntil <= at || !HELD.includes(outcome)
    ? {}
    : { retryAfterMs: heldUntil - at, toldAs: 'ms' };

const spanOf = (from: number, until: number): number => Math.max(0, until - from);
