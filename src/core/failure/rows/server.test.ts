import { describe, expect, it } from 'vitest';
import {
  body200,
  cause,
  err,
  event,
  finish,
  html,
  http,
  invalid,
  type Sample,
} from '../../../../test/kit/failure-signals.ts';
import { classify } from '../classify.ts';
import { SERVER_ROWS } from './server.ts';

const SAMPLES: readonly Sample[] = [
  // Row 14.
  ...([408, 409, 425] as const).map(
    (status): Sample => [
      `${status}`,
      http(status, err('x'), { headers: { 'retry-after': '3' } }),
      'model_unavailable',
      { toldDelayMs: 3000, hold: 'told_only', weight: 0, again: true },
    ],
  ),
  [
    'code',
    http(400, invalid('Model is unavailable', { param: 'model', code: 'model_unavailable' })),
    'model_unavailable',
  ],
  // Row 15.
  ['413 as HTML', html(413), 'payload_too_large'],
  // Row 16.
  ...([502, 504, 520, 527] as const).map(
    (status): Sample => [
      `${status}`,
      http(status, err('bad upstream', { type: 'server_error' })),
      'bad_gateway',
      { refusal: false, weight: 1, again: true },
    ],
  ),
  ['HTML at a 520', html(520), 'bad_gateway'],
  ['HTML at a 200', cause({ kind: 'fault', fault: 'wrong_content' }, { body: 'html' }), 'bad_gateway'],
  ['HTML at a 503', html(503), 'bad_gateway'],
  [
    'code 502 in a 200',
    body200({ error: { message: 'provider returned error', code: 502, metadata: { raw: 'x' } } }),
    'bad_gateway',
  ],
  // Row 17.
  [
    '500',
    http(500, err('x', { type: 'server_error' })),
    'server_error',
    { refusal: false, weight: 1, scope: 'route', requestShaped: false },
  ],
  [
    '503',
    http(503, err('down', { type: 'server_error' }), { headers: { 'retry-after': '9' } }),
    'server_error',
    { refusal: true, toldDelayMs: 9000 },
  ],
  [
    'budgets say nothing of an outage',
    http(500, err('x'), { headers: { 'x-ratelimit-reset-tokens': '55', 'x-ratelimit-remaining-tokens': '0' } }),
    'server_error',
    { toldDelayMs: null },
  ],
  ['530', http(530), 'server_error'],
  [
    'event of server kind',
    event({ type: 'error', error: { type: 'api_error', message: 'internal fault' } }),
    'server_error',
    { weight: 1, refusal: true },
  ],
  [
    'event with an unknown code',
    event({ error: { message: 'x', type: null, code: 'upstream_broken' } }),
    'server_error',
    { weight: 1 },
  ],
  ['event that cannot be read', event(null), 'server_error'],
  [
    'event with a bad-request label',
    event(invalid('x')),
    'server_error',
    { weight: 0, requestShaped: true, onward: 'next_target', hold: null },
  ],
  ['event with code 400', event(err('x', { code: 400 })), 'server_error', { weight: 0, requestShaped: true }],
  ['finish', finish('error'), 'server_error'],
  // Row 18.
  [
    'translated 400',
    http(400, invalid('x', { param: 'messages[0].name' }), { translated: true }),
    'translated_request',
    { outcome: 'bad_request', onward: 'next_target', requestShaped: true, param: 'messages[0].name' },
  ],
  [
    'translated 400 that a row knows',
    http(400, { message: 'Input is too long.' }, { translated: true }),
    'context_length',
  ],
  // Row 19.
  ['302', http(302), 'redirect', { outcome: 'protocol_error', weight: 1 }],
  // Row 20.
  [
    'words are kept',
    http(400, invalid('Invalid type for seed.', { param: 'seed', code: 'invalid_type' })),
    'bad_request',
    {
      onward: 'stop',
      code: 'invalid_type',
      param: 'seed',
      type: 'invalid_request_error',
      reason: 'Invalid type for seed.',
      refusal: true,
      component: 'client',
    },
  ],
  [
    'words that are none',
    http(400, invalid('x', { code: 'see https://up.example/help?key=1' })),
    'bad_request',
    { code: null, type: 'invalid_request_error' },
  ],
  [
    'generic 410',
    http(410, invalid('The uploaded file has been removed.', { code: 'gone_file' })),
    'bad_request',
    { status: 410, code: null },
  ],
  [
    'item at a 404',
    http(
      404,
      invalid("Item with id 'rs_X' not found. Items are not persisted when store is false.", { code: 'some_code' }),
    ),
    'bad_request',
    { status: 404, code: null },
  ],
  ['415', http(415), 'bad_request'],
  ['code 400 in a 200', body200(err('x', { code: 400 })), 'bad_request', { onward: 'stop', status: 400 }],
];

describe('rows of server', () => {
  it.each(SAMPLES.map((sample) => ({ name: `${sample[2]}: ${sample[0]}`, sample })))('$name', ({ sample }) => {
    const [, signal, row, expected = {}] = sample;
    expect(classify(signal)).toMatchObject({ row, ...expected });
  });

  it('are each reached by a sample', () => {
    const reached = new Set(SAMPLES.map(([, signal]) => classify(signal).row));
    for (const { id } of SERVER_ROWS) expect(reached).toContain(id);
  });
});
