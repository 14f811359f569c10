import { describe, expect, it } from 'vitest';
import { type Parsed, parseDuration, parseSize, parseSizeOrShare, writeDuration, writeSize } from './units.ts';

const value = <T>(parsed: Parsed<T>): T | 'refused' => (parsed.ok ? parsed.value : 'refused');

describe('durations', () => {
  it.each([
    ['250ms', 250],
    ['2s', 2000],
    ['1.5s', 1500],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['1h30m', 5_400_000],
    ['0s', 0],
    [' 3s ', 3000],
  ])('%s', (text, wanted) => {
    expect(value(parseDuration(text))).toBe(wanted);
  });

  it.each([[5], ['5'], [''], ['s'], ['-5s'], ['5 s'], ['5S'], ['5sec'], ['1e3ms'], [null], [true], ['5s!'], [{}]])(
    '%j is refused',
    (text) => {
      expect(value(parseDuration(text))).toBe('refused');
    },
  );

  it('are parsed in linear time', () => {
    expect(value(parseDuration(`${'1'.repeat(50_000)}x`))).toBe('refused');
  });
});

describe('sizes', () => {
  it.each([
    ['512B', 512],
    ['64KiB', 65_536],
    ['4MiB', 4_194_304],
    ['2GiB', 2_147_483_648],
    ['1kB', 1000],
    ['1.5 MB', 1_500_000],
    ['0.5KiB', 512],
  ])('%s', (text, wanted) => {
    expect(value(parseSize(text))).toBe(wanted);
  });

  it.each([[5], ['5'], ['5K'], ['5 apples'], ['-1B'], [''], [null]])('%j is refused', (text) => {
    expect(value(parseSize(text))).toBe('refused');
  });

  it('may be shares where that makes sense', () => {
    expect(value(parseSizeOrShare('25%'))).toEqual({ share: 0.25 });
    expect(value(parseSizeOrShare('1MiB'))).toEqual({ bytes: 1_048_576 });
    for (const wrong of ['0%', '101%', '%', 25]) expect(value(parseSizeOrShare(wrong))).toBe('refused');
  });
});

describe('units, written', () => {
  it.each([
    [0, '0s'],
    [250, '250ms'],
    [1500, '1500ms'],
    [5000, '5s'],
    [90_000, '90s'],
    [300_000, '5m'],
    [86_400_000, '24h'],
  ])('%i ms', (ms, text) => {
    expect(writeDuration(ms)).toBe(text);
    expect(value(parseDuration(text))).toBe(ms);
  });

  it.each([
    [0, '0KiB'],
    [1000, '1000B'],
    [65_536, '64KiB'],
    [4 * 1024 ** 2, '4MiB'],
  ])('%i bytes', (bytes, text) => {
    expect(writeSize(bytes)).toBe(text);
    expect(value(parseSize(text))).toBe(bytes);
  });
});
