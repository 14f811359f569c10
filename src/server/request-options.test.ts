import { describe, expect, it } from 'vitest';
import { parseRequestOptions } from './request-options.ts';

describe('x-understudy headers', () => {
  it('are read', () => {
    expect(parseRequestOptions({})).toEqual({ ok: true, options: { failover: true, timeoutMs: null } });
    expect(parseRequestOptions({ 'x-understudy-failover': 'off', 'x-understudy-timeout': '1.5s' })).toEqual({
      ok: true,
      options: { failover: false, timeoutMs: 1500 },
    });
    expect(parseRequestOptions({ 'x-understudy-mid-stream': 'off' })).toMatchObject({ ok: true });
  });

  it.each([
    ['x-understudy-failover', 'no'],
    ['x-understudy-failover', 'off, off'],
    ['x-understudy-timeout', '30'],
    ['x-understudy-timeout', '0s'],
    ['x-understudy-timeout', '-1s'],
    ['x-understudy-timeout', ''],
    ['x-understudy-mid-stream', 'continue'],
    ['x-understudy-mid-stream', 'x'],
  ])('are refused by name: %s: %s', (header, value) => {
    expect(parseRequestOptions({ [header]: value })).toMatchObject({ ok: false, header });
  });
});
