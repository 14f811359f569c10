import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../test/kit/samples.ts';
import { backoffMs } from './backoff.ts';
import { type AttemptMoments, nextExpiry } from './clocks.ts';

const T = {
  ...SETTINGS.timeouts,
  connectMs: 5,
  headersMs: 60,
  firstOutputMs: 120,
  idleMs: 50,
  progressMs: 300,
  wholeMs: 400,
};
const NONE: AttemptMoments = {
  startedAt: 0,
  sentAt: null,
  headAt: null,
  lastByteAt: null,
  committedAt: null,
  lastOutputAt: null,
};

describe('the clock that runs out first', () => {
  it.each([
    ['before the socket', {}, true, { clock: 'connect', at: 5 }],
    ['sent, no head', { sentAt: 1 }, true, { clock: 'headers', at: 61 }],
    ['head, then silence', { sentAt: 1, headAt: 10 }, true, { clock: 'idle', at: 60 }],
    ['bytes that are no output', { sentAt: 1, headAt: 10, lastByteAt: 100 }, true, { clock: 'firstOutput', at: 121 }],
    [
      'committed, then silence',
      { sentAt: 1, headAt: 10, lastByteAt: 200, committedAt: 100, lastOutputAt: 200 },
      true,
      { clock: 'idle', at: 250 },
    ],
    [
      'pings behind the commit',
      { sentAt: 1, headAt: 10, lastByteAt: 480, committedAt: 100, lastOutputAt: 200 },
      true,
      { clock: 'progress', at: 500 },
    ],
    [
      'no output since the commit',
      { sentAt: 1, headAt: 10, lastByteAt: 390, committedAt: 100 },
      true,
      { clock: 'progress', at: 400 },
    ],
    ['JSON, sent', { sentAt: 1 }, false, { clock: 'whole', at: 401 }],
    ['JSON, with a head', { sentAt: 1, headAt: 10, lastByteAt: 20 }, false, { clock: 'whole', at: 401 }],
    ['JSON, connecting', {}, false, { clock: 'connect', at: 5 }],
  ] as const)('%s', (_name, moments, stream, expected) => {
    expect(nextExpiry({ ...NONE, ...moments }, T, stream)).toMatchObject(expected);
  });
});

describe('the pause before a repeat', () => {
  it.each([
    [1, 0.5, null, 125],
    [2, 0.5, null, 250],
    [5, 1, null, 4000],
    [50, 1, null, 4000],
    [1, 0.5, 3000, 3000],
    [1, 0.5, 10, 125],
  ])('repeat %i, chance %d, told %s: %d ms', (repeat, random, told, expected) => {
    expect(backoffMs(repeat, random, told)).toBe(expected);
  });
});
