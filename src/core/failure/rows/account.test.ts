import { describe, expect, it } from 'vitest';
import { err, event, http, invalid, type Sample } from '../../../../test/kit/failure-signals.ts';
import { classify } from '../classify.ts';
import { ACCOUNT_ROWS } from './account.ts';

const SAMPLES: readonly Sample[] = [
  // Row 1.
  ['code in any spelling', http(410, invalid('no longer available', { code: 'MODEL-EOL' })), 'retired_model'],
  [
    'type of an Anthropic error',
    http(410, { type: 'error', error: { type: 'model-retired', message: 'x' } }),
    'retired_model',
  ],
  [
    'model_not_found at 410',
    http(410, invalid('x', { code: 'Model-Not-Found' })),
    'retired_model',
    { scope: 'target', hold: 'retired' },
  ],
  [
    'words beside model_not_found',
    http(
      404,
      invalid('The model `gpt-4-0314` has been deprecated, learn more here: https://x.example/d', {
        code: 'model_not_found',
      }),
    ),
    'retired_model',
  ],
  ['a retired code at any status', http(400, invalid('x', { code: 'model_deprecated' })), 'retired_model'],
  ['words without the word model', http(410, invalid('The file is no longer available.')), 'bad_request'],
  ['a word that only contains model', http(404, invalid('remodeled house is no longer available')), 'model_not_found'],
  // Row 2.
  [
    'insufficient_quota as a 429',
    http(429, err('You exceeded your current quota', { type: 'insufficient_quota', code: 'insufficient_quota' })),
    'quota_exhausted',
    {
      outcome: 'quota_exhausted',
      scope: 'credential',
      hold: 'quota',
      component: 'credential',
      onward: 'next_credential',
    },
  ],
  ['402', http(402, err('insufficient credits', { code: 402 })), 'quota_exhausted', { outcome: 'billing' }],
  ['402 without words', http(402), 'quota_exhausted', { outcome: 'billing' }],
  ['402 in a stream', event(err('Insufficient credits', { code: 402 })), 'quota_exhausted', { outcome: 'billing' }],
  [
    'Anthropic credit words at a 400',
    http(400, {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      },
    }),
    'quota_exhausted',
    { outcome: 'quota_exhausted' },
  ],
  [
    'usage limit of a plan',
    http(429, { error: { type: 'usage_limit_reached', message: 'limit', resets_in_seconds: 1800 } }),
    'quota_exhausted',
    { toldDelayMs: 1_800_000 },
  ],
  [
    'quota event',
    event({ type: 'error', code: 'insufficient_quota', message: 'plan used up', param: null }),
    'quota_exhausted',
  ],
  ['Zhipu arrears', http(429, { error: { code: '1113', message: 'Your account is in arrears' } }), 'quota_exhausted'],
  [
    'full budgets do not say when a quota returns',
    http(429, err('x', { code: 'insufficient_quota' }), {
      headers: { 'x-ratelimit-remaining-requests': '9999', 'x-ratelimit-reset-requests': '8ms' },
    }),
    'quota_exhausted',
    { toldDelayMs: null },
  ],
  // Row 3.
  [
    'requested over limit',
    http(
      429,
      err('Request too large for tokens per minute: limit 9000, requested 12345', {
        type: 'tokens',
        code: 'rate_limit_exceeded',
      }),
    ),
    'larger_than_limit',
    { outcome: 'context_length', hold: null, scope: 'none', toldDelayMs: null },
  ],
  [
    'figures alone',
    http(429, err('Tokens per min: Limit 30,000, Used 0, Requested 40,001.', { code: 'rate_limit_exceeded' })),
    'larger_than_limit',
  ],
  [
    'requested under limit',
    http(
      429,
      err(
        'Rate limit reached for gpt-4 on tokens per min: Limit 10000, Used 9000, Requested 2000. Please try again in 6s.',
        { code: 'rate_limit_exceeded' },
      ),
    ),
    'rate_limited',
    { toldDelayMs: 6000 },
  ],
  [
    'requested exactly the limit',
    http(429, err('Tokens per min: Limit 30,000, Used 100, Requested 30,000.', { code: 'rate_limit_exceeded' })),
    'rate_limited',
  ],
  // Row 4.
  [
    '529',
    http(529, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }),
    'overloaded',
    { refusal: true, again: true, weight: 1 },
  ],
  ['529 without body', http(529), 'overloaded'],
  [
    '529 beside a budget that is not spent',
    http(529, null, { headers: { 'x-ratelimit-reset': '40', 'x-ratelimit-remaining': '9' } }),
    'overloaded',
    { toldDelayMs: null },
  ],
  [
    'event',
    event({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }),
    'overloaded',
    { refusal: true },
  ],
  [
    'event behind an opened item',
    event({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }, { anyItem: true }),
    'overloaded',
    { refusal: false },
  ],
  [
    'words at a 503',
    http(503, {
      error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
    }),
    'overloaded',
  ],
  ['capacity code', event({ code: 'model_at_capacity', message: 'full' }), 'overloaded'],
  ['Zhipu 1305', event({ type: 'error', error: { code: '1305', message: 'too many users' } }), 'overloaded'],
  [
    'Responses code',
    event({
      type: 'error',
      error: { type: 'service_unavailable_error', code: 'server_is_overloaded', message: 'busy' },
    }),
    'overloaded',
  ],
  [
    'a code stands before overload words',
    http(400, invalid('server is overloaded', { code: 'context_length_exceeded' })),
    'context_length',
  ],
];

describe('rows of account', () => {
  it.each(SAMPLES.map((sample) => ({ name: `${sample[2]}: ${sample[0]}`, sample })))('$name', ({ sample }) => {
    const [, signal, row, expected = {}] = sample;
    expect(classify(signal)).toMatchObject({ row, ...expected });
  });

  it('are each reached by a sample', () => {
    const reached = new Set(SAMPLES.map(([, signal]) => classify(signal).row));
    for (const { id } of ACCOUNT_ROWS) expect(reached).toContain(id);
  });
});
