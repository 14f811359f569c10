import { describe, expect, it } from 'vitest';
import { body200, err, event, html, http, invalid, type Sample } from '../../../../test/kit/failure-signals.ts';
import { classify } from '../classify.ts';
import { ACCESS_ROWS } from './access.ts';

const SAMPLES: readonly Sample[] = [
  // Row 10.
  [
    '401',
    http(401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }),
    'bad_key',
    { outcome: 'auth', scope: 'credential', hold: 'auth', refusal: true },
  ],
  ['code at a 400', http(400, invalid('x', { code: 'invalid_api_key' })), 'bad_key'],
  ['403 with key words', http(403, err('Your API key has been disabled.')), 'bad_key'],
  [
    'Gemini at a 400',
    http(400, {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'API_KEY_INVALID' }],
      },
    }),
    'bad_key',
  ],
  // Row 11.
  [
    'region',
    http(403, err('Country, region, or territory not supported', { code: 'unsupported_country_region_territory' })),
    'permission',
    { hold: 'permission', scope: 'route' },
  ],
  ['403 as HTML', html(403), 'permission'],
  // Row 12.
  [
    'NIM',
    http(404, {
      status: 404,
      title: 'Not Found',
      detail: "Function '00000000-0000-0000-0000-000000000000': Not found for account 'X'",
    }),
    'model_not_found',
    { hold: 'not_found', scope: 'route' },
  ],
  [
    'code at a 400',
    http(400, invalid('The requested model is not supported.', { param: 'model', code: 'model_not_supported' })),
    'model_not_found',
  ],
  ['words at a 400', http(400, invalid('The requested model is not supported.')), 'model_not_found'],
  ['parameter at a 400', http(400, invalid('not here', { param: 'model' })), 'model_not_found'],
  ['404 without body', http(404), 'model_not_found'],
  [
    'Anthropic',
    http(404, { type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } }),
    'model_not_found',
  ],
  // Row 13.
  [
    '429',
    http(429, err('slow'), { headers: { 'retry-after': '30' } }),
    'rate_limited',
    { toldDelayMs: 30_000, hold: 'rate_limited', onward: 'next_route', scope: 'route', refusal: true, weight: 0 },
  ],
  [
    'budget headers',
    http(429, err('token rate limit', { code: '429' }), {
      headers: { 'x-ratelimit-reset-tokens': '55', 'x-ratelimit-remaining-tokens': '0' },
    }),
    'rate_limited',
    { toldDelayMs: 55_000 },
  ],
  [
    'Gemini per minute',
    http(429, [
      {
        error: {
          code: 429,
          message:
            'You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: x, limit: 5\nPlease retry in 34.07s.',
          status: 'RESOURCE_EXHAUSTED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }],
        },
      },
    ]),
    'rate_limited',
    { toldDelayMs: 34_000 },
  ],
  ['Zhipu 1302', event({ error: { code: '1302', message: 'high concurrency' } }), 'rate_limited'],
  ['event without code', event({ error: { message: 'Too many requests, slow down please' } }), 'rate_limited'],
  [
    'Responses event',
    event({ code: 'rate_limit_exceeded', message: 'Limit 1, used 1. Please try again in 1m2.3s.' }),
    'rate_limited',
    { toldDelayMs: 62_300 },
  ],
  ['code 429 in a 200', body200(err('x', { code: 429 })), 'rate_limited'],
  ['words of a rate limit in a 400', http(400, err('"burst" must be below the rate limit')), 'bad_request'],
];

describe('rows of access', () => {
  it.each(SAMPLES.map((sample) => ({ name: `${sample[2]}: ${sample[0]}`, sample })))('$name', ({ sample }) => {
    const [, signal, row, expected = {}] = sample;
    expect(classify(signal)).toMatchObject({ row, ...expected });
  });

  it('are each reached by a sample', () => {
    const reached = new Set(SAMPLES.map(([, signal]) => classify(signal).row));
    for (const { id } of ACCESS_ROWS) expect(reached).toContain(id);
  });
});
