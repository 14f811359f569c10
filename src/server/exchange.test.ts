import { describe, expect, it } from 'vitest';
import { hostOf } from './exchange.ts';

describe('the host that a request is for', () => {
  it.each([
    ['its one Host header', '/v1/models', ['Host', 'localhost:4180'], 'localhost:4180'],
    ['its absolute target, whatever the header says', 'http://evil.example/v1', ['Host', 'localhost'], 'evil.example'],
    ['nobody, without any', '/', ['Accept', 'Host'], null],
    ['nobody, with two: only one of them would be checked', '/', ['Host', 'localhost', 'HOST', 'evil.example'], null],
  ])('is %s', (_name, url, rawHeaders, expected) => {
    expect(hostOf({ url, rawHeaders })).toBe(expected);
  });
});
