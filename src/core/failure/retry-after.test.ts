import { describe, expect, it } from 'vitest';
import { readToldDelay } from './retry-after.ts';
import type { ProviderError } from './signal.ts';

const AT = Date.UTC(2026, 10, 29, 10, 0, 0);
const SECONDS = AT / 1000;

const error = (message: string, delay?: ProviderError['delay']): ProviderError => ({
  status: null,
  code: null,
  type: null,
  param: null,
  message,
  ...(delay ? { delay } : {}),
});

const told = (headers: Record<string, string>) => readToldDelay(headers, null, AT);

describe('told delays', () => {
  it.each<[string, Record<string, string>, number | null]>([
    ['seconds', { 'retry-after': '30' }, 30_000],
    ['fractions', { 'retry-after': '0.25' }, 250],
    ['zero', { 'retry-after': '0' }, 1000],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    ['date', { 'retry-after': 'Sun, 29 Nov 2026 10:00:45 GMT' }, 45_000],
    [
      'date against the date of the answer',
      { date: 'Sun, 29 Nov 2026 09:00:00 GMT', 'retry-after': 'Sun, 29 Nov 2026 09:00:45 GMT' },
      45_000,
    ],
    [
      'date in the past',
      { date: 'Sun, 29 Nov 2026 10:00:00 GMT', 'retry-after': 'Sat, 29 Nov 2025 10:00:00 GMT' },
      1000,
    ],
    ['RFC 850', { 'retry-after': 'Sunday, 29-Nov-26 10:00:45 GMT' }, 45_000],
    ['asctime', { 'retry-after': 'Sun Nov 29 10:00:45 2026' }, 45_000],
    ...['soon', '', 'NaN', '1e999', '-5', '0x10', '5 5', 'Infinity', '9'.repeat(400)].map(
      (value): [string, Record<string, string>, null] => [
        `garbage ${value.slice(0, 8)}`,
        { 'retry-after': value },
        null,
      ],
    ),
    ['garbage beside a budget', { 'retry-after': 'soon', 'x-ratelimit-reset-tokens': '5' }, 5000],
    ['budget in seconds', { 'x-ratelimit-reset-tokens': '55', 'x-ratelimit-remaining-tokens': '0' }, 55_000],
    ['other spelling', { 'x-rate-limit-reset-tokens': '55' }, 55_000],
    [
      'spent budget, though shorter',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '2s',
        'x-ratelimit-remaining-tokens': '9000',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      2000,
    ],
    [
      'the longest of two spent',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '2s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1m2.5s',
      },
      62_500,
    ],
    [
      'the longest where none is spent',
      { 'x-ratelimit-reset-requests': '120ms', 'x-ratelimit-reset-tokens': '6m0s' },
      360_000,
    ],
    ['Go duration', { 'x-ratelimit-reset-requests': '1h30m0s' }, 5_400_000],
    ['short duration', { 'x-ratelimit-reset-requests': '6ms' }, 6],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-29T10:00:30Z',
        'anthropic-ratelimit-requests-remaining': '40',
        'anthropic-ratelimit-requests-reset': '2026-11-29T10:01:00Z',
      },
      30_000,
    ],
    ['epoch seconds', { 'x-ratelimit-reset': String(SECONDS + 20) }, 20_000],
    ['epoch milliseconds', { 'x-ratelimit-reset': String(AT + 20_000) }, 20_000],
    ['plain name', { 'ratelimit-reset': '12' }, 12_000],
    ['passed reset', { 'x-ratelimit-reset': String(SECONDS - 20) }, 1000],
    ['nothing', { 'content-type': 'application/json' }, null],
    ['absurdly long', { 'retry-after': '999999999' }, 400 * 86_400_000],
  ])('%s', (_, headers, expected) => {
    expect(told(headers)).toBe(expected);
  });

  it.each<[string, ProviderError, number | null]>([
    ['retryDelay', error('m', { text: '34.5s' }), 34_500],
    ['seconds', error('m', { seconds: 1800 }), 1_800_000],
    ['epoch seconds', error('m', { at: SECONDS + 60 }), 60_000],
    ['epoch milliseconds', error('m', { at: AT + 60_000 }), 60_000],
    ['RFC 3339', error('m', { text: '2026-11-29T10:00:30+00:00' }), 30_000],
    ['passed', error('m', { at: SECONDS - 60 }), 1000],
    ['garbage', error('m', { text: 'tomorrow' }), null],
    ['minutes and seconds', error('Limit 1, used 1. Please try again in 1m2.3s.'), 62_300],
    ['whole seconds', error('Please try again in 20s.'), 20_000],
    ['milliseconds', error('try again in 898ms'), 898],
    ['words', error('Please retry after 26 seconds.'), 26_000],
    ['minutes', error('Rate limited. Try again in 2 minutes and 5 seconds'), 125_000],
    ['Gemini', error('Please retry in 34.07s.'), 34_070],
    ['no unit', error('try again in 20 places'), null],
    ['other figures', error('Limit 20s of audio'), null],
  ])('of the error: %s', (_, of, expected) => {
    expect(readToldDelay({}, of, AT)).toBe(expected);
  });

  it('believes the header before the words', () => {
    expect(readToldDelay({ 'retry-after': '3' }, error('try again in 20s', { seconds: 9 }), AT)).toBe(3000);
    expect(readToldDelay({ 'x-ratelimit-reset': '4' }, error('try again in 20s', { seconds: 9 }), AT)).toBe(9000);
    expect(readToldDelay({ 'x-ratelimit-reset': '4' }, error('try again in 20s'), AT)).toBe(4000);
  });

  it('believes budgets as far as they are asked', () => {
    const full = { 'x-ratelimit-reset': '4', 'x-ratelimit-remaining': '9' };
    const spent = { ...full, 'x-ratelimit-remaining': '0' };
    expect([readToldDelay(full, null, AT, 'spent'), readToldDelay(spent, null, AT, 'spent')]).toEqual([null, 4000]);
    expect(readToldDelay(spent, null, AT, 'none')).toBeNull();
  });
});
