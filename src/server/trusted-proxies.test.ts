import { describe, expect, it } from 'vitest';
import { forwardedClient, isTrustedProxy } from './trusted-proxies.ts';

describe('a trusted proxy', () => {
  const trusted = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '::ffff:192.0.2.0/120'];

  it.each([
    ['127.0.0.1', true],
    ['127.0.0.2', false],
    ['::ffff:127.0.0.1', true],
    ['10.255.0.1', true],
    ['::ffff:10.255.0.1', true],
    ['::ffff:a01:101', true],
    ['11.0.0.1', false],
    ['192.0.2.9', true],
    ['::ffff:192.0.2.9', true],
    ['192.0.3.9', false],
    ['::1', true],
    ['::2', false],
    ['fd12::7', true],
    ['fe80::1%eth0', false],
    ['10.0.0', false],
    ['', false],
    [undefined, false],
  ])('%s: %s', (address, wanted) => {
    expect(isTrustedProxy(address, trusted)).toBe(wanted);
    expect(isTrustedProxy(address, [])).toBe(false);
  });

  it.each([
    ['one', '192.168.0.9', '192.168.0.9'],
    ['the rightmost, not what it was told itself', '127.0.0.1, 203.0.113.7', '203.0.113.7'],
    ['the rightmost before other trusted ones', '127.0.0.1, 203.0.113.7, 10.0.0.1, 127.0.0.1', '203.0.113.7'],
    ['the rightmost of several that are not trusted', '198.51.100.1, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['the first, where all are trusted', '10.0.0.2, 10.0.0.1', '10.0.0.2'],
    ['with a port', '203.0.113.7:5123', '203.0.113.7'],
    ['IPv6 with a port', '[2001:db8::1]:5123', '2001:db8::1'],
    ['IPv6', '2001:db8::1', '2001:db8::1'],
    ['nobody: a word', '127.0.0.1, unknown', null],
    ['nobody: a word before trusted ones', '127.0.0.1, unknown, 10.0.0.1', null],
    ['nobody: an empty place', '127.0.0.1,', null],
    ['nobody: nothing', '', null],
    ['nobody: what only begins with an address', '127.0.0.1.evil.test', null],
    ['nobody: two ports', '127.0.0.1:1:2', null],
  ])('names %s', (_, header, wanted) => {
    expect(forwardedClient({ 'x-forwarded-for': header }, trusted)).toBe(wanted);
  });

  it('that says nothing names nobody', () => {
    expect(forwardedClient({ 'x-forwarded-proto': 'https' }, trusted)).toBeNull();
  });
});
