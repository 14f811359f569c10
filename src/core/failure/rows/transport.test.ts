import { describe, expect, it } from 'vitest';
import { cause, clock, fault, http, type Sample, transport } from '../../../../test/kit/failure-signals.ts';
import { classify } from '../classify.ts';
import { TRANSPORT_ROWS } from './transport.ts';

const SAMPLES: readonly Sample[] = [
  // Row 21.
  ...(['dns', 'refused', 'unreachable', 'tls', 'reset', 'closed'] as const).map(
    (word): Sample => [
      word,
      transport(word),
      'connect_error',
      { scope: 'endpoint', onward: 'next_other_endpoint', component: 'endpoint', again: true },
    ],
  ),
  // Row 22.
  ['connect', clock('connect'), 'timeout', { outcome: 'timeout_connect', weight: 2, again: false, refusal: false }],
  ['headers', clock('headers'), 'timeout', { outcome: 'timeout_headers', weight: 2, again: false }],
  ['firstOutput', clock('firstOutput'), 'timeout', { outcome: 'timeout_first_output' }],
  ['whole', clock('whole'), 'timeout', { outcome: 'timeout_whole' }],
  ['idle', clock('idle'), 'timeout', { outcome: 'timeout_idle' }],
  ['progress', clock('progress'), 'timeout', { outcome: 'timeout_progress' }],
  // Row 23.
  [
    'cut',
    transport('reset', { anyByte: true, anyEvent: true }),
    'broken_answer',
    { outcome: 'incomplete_stream', again: false },
  ],
  ['cut before any event', transport('closed', { anyByte: true }), 'broken_answer', { again: true }],
  ['no end', fault('incomplete'), 'broken_answer', { outcome: 'incomplete_stream' }],
  ['nothing', fault('empty'), 'broken_answer', { outcome: 'empty_stream', again: true }],
  ['damaged', fault('malformed'), 'broken_answer', { outcome: 'protocol_error' }],
  ['bad encoding', transport('bad_encoding', { anyByte: true }), 'broken_answer', { outcome: 'protocol_error' }],
  // Row 24.
  ['silent answer', fault('no_output'), 'no_output', { outcome: 'empty_completion', weight: 0.5 }],
  // Row 25.
  [
    'local',
    transport('local'),
    'local_resource',
    { outcome: 'bad_gateway', component: 'gateway', onward: 'stop', weight: 0 },
  ],
  // Row 26.
  [
    'own fault',
    cause({ kind: 'own_fault', words: 'TypeError', at: '' }, { anyEvent: true, translated: true }),
    'own_fault',
    { outcome: 'protocol_error', component: 'gateway', onward: 'next_target', again: false, scope: 'none', weight: 0 },
  ],
  // Row 27.
  ['a 200 without a cause', http(200), 'anything_else', { outcome: 'protocol_error', weight: 1 }],
];

describe('rows of transport', () => {
  it.each(SAMPLES.map((sample) => ({ name: `${sample[2]}: ${sample[0]}`, sample })))('$name', ({ sample }) => {
    const [, signal, row, expected = {}] = sample;
    expect(classify(signal)).toMatchObject({ row, ...expected });
  });

  it('are each reached by a sample', () => {
    const reached = new Set(SAMPLES.map(([, signal]) => classify(signal).row));
    for (const { id } of TRANSPORT_ROWS) expect(reached).toContain(id);
  });
});
