import { describe, expect, it } from 'vitest';
import {
  clockTime,
  counted,
  duration,
  fromNow,
  isOk,
  known,
  outcomeTone,
  outcomeWord,
  reasonWords,
  routeName,
  sentence,
  share,
  wholeSeconds,
} from './words.ts';

describe('duration', () => {
  it.each([
    [0, '0 ms'],
    [812.4, '812 ms'],
    [3400, '3.4 s'],
    [59_400, '59 s'],
    [125_000, '2 m 05 s'],
    [11_400_000, '3 h 10 m'],
    [187_200_000, '2 d 4 h'],
  ])('%d ms is %s', (ms, words) => expect(duration(ms)).toBe(words));
});

describe('wholeSeconds', () => {
  it.each([
    [200, '1 s'],
    [3400, '3 s'],
    [59_000, '59 s'],
    [61_000, '1 m 01 s'],
  ])('%d ms is %s', (ms, words) => expect(wholeSeconds(ms)).toBe(words));
});

it('tells moments from now', () => {
  expect(fromNow(1000, 1500)).toBe('just now');
  expect(fromNow(0, 12_000)).toBe('12 s ago');
  expect(fromNow(200_000, 0)).toBe('in 3 m 20 s');
});

it('tells the day only of another day', () => {
  const now = new Date(2026, 10, 30, 12, 0, 0).getTime();
  expect(clockTime(new Date(2026, 10, 30, 18, 51, 36).getTime(), now)).toBe('18:51:36');
  expect(clockTime(new Date(2026, 11, 1, 7, 5, 0).getTime(), now)).toBe('1 Dec, 07:05');
});

describe('share', () => {
  it.each([
    [0, 0, '–'],
    [3, 3, '100 %'],
    [99_999, 100_000, '99.99 %'],
    [997, 1000, '99.70 %'],
    [4, 5, '80.0 %'],
    [0, 5, '0.0 %'],
  ])('%d of %d is %s', (part, of, words) => expect(share(part, of)).toBe(words));
});

it('knows unknown from nothing', () => {
  expect(known(null)).toBe('unknown');
  expect(known(0)).toBe('0');
});

it('has a word and a tone for each outcome', () => {
  expect(outcomeWord('quota_exhausted')).toBe('quota used up');
  expect(outcomeWord('of_tomorrow')).toBe('of tomorrow');
  expect(outcomeWord(null)).toBe('under way');
  expect(['ok', 'refused', 'overloaded', 'client_closed', 'skipped_circuit', null].map(outcomeTone)).toEqual([
    'good',
    'good',
    'bad',
    'quiet',
    'quiet',
    'info',
  ]);
  expect(isOk('ok_truncated')).toBe(true);
});

it('reads reasons', () => {
  expect(reasonWords('circuit open: overloaded for 24 s', true)).toBe('circuit open: overloaded');
  expect(reasonWords('circuit open: overloaded for 24 s')).toBe('circuit open: overloaded for 24 s');
  expect(reasonWords('quota_exhausted')).toBe('quota used up');
  expect(reasonWords('no_round')).toBe('not probed yet');
});

it('names routes, numbers and what others say', () => {
  expect(routeName('a/m', 'default')).toBe('a/m');
  expect(routeName('a/m', 'team')).toBe('a/m · team');
  expect(counted(1, 'key')).toBe('1 key');
  expect(counted(2, 'key')).toBe('2 keys');
  expect(sentence('It is down. ')).toBe('It is down.');
  expect(sentence('closed')).toBe('closed.');
});
