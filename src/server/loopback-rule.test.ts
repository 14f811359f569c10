import { describe, expect, it } from 'vitest';
import { findLoopbackProblem, hostName, isLoopback, type Visitor } from './loopback-rule.ts';

const user: Visitor = {
  peer: '127.0.0.1',
  method: 'POST',
  headers: { host: '127.0.0.1:4180', 'content-type': 'application/json' },
};
const rules = { hosts: ['gateway.lan'], cors: ['https://app.example'], trustedProxies: ['::1', '10.0.0.0/8'] };
const problem = (change: Partial<Visitor>, headers: Record<string, string | undefined> = {}) => {
  const merged = Object.fromEntries(Object.entries({ ...user.headers, ...headers }).filter(([, v]) => v !== undefined));
  return findLoopbackProblem({ ...user, ...change, headers: merged as Record<string, string> }, rules);
};

describe('the loopback rule', () => {
  it.each([
    ['as it is', {}, {}],
    ['by name', {}, { host: 'LocalHost:4180' }],
    ['by IPv6', { peer: '::1' }, { host: '[::1]:4180' }],
    ['by a listed name', {}, { host: 'gateway.lan' }],
    ['from a listed page', {}, { origin: 'https://app.example' }],
    ['with a charset', {}, { 'content-type': 'application/json; charset=utf-8' }],
    ['GET without a body', { method: 'GET' }, { 'content-type': undefined }],
    ['POST without a body', {}, { 'content-type': undefined, 'content-length': '0' }],
    [
      'through a proxy that is trusted',
      { peer: '::1' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' },
    ],
    ['through several', { peer: '::1' }, { 'x-forwarded-for': '::1, 10.0.0.7', 'x-forwarded-host': 'gateway.lan:80' }],
  ])('lets the user in: %s', (_name, change, headers) => {
    expect(problem(change, headers)).toBeNull();
  });

  it.each([
    ['another machine', { peer: '192.0.2.7' }, {}, 'loopback'],
    ['no peer at all', { peer: undefined }, {}, 'loopback'],
    ['a rebound name', {}, { host: 'evil.example:4180' }, 'server.hosts'],
    ['a name that only begins well', {}, { host: 'localhost.evil.example' }, 'server.hosts'],
    ['user info in the Host', {}, { host: 'localhost@evil.example' }, 'server.hosts'],
    ['no Host', {}, { host: undefined }, 'server.hosts'],
    ['a page', {}, { origin: 'http://page.example' }, 'server.cors'],
    ['a page without origin', {}, { origin: 'null' }, 'server.cors'],
    ['a proxy', {}, { 'x-forwarded-for': '192.0.2.7' }, 'x-forwarded-for'],
    ['a proxy of the new kind', {}, { forwarded: 'for=192.0.2.7' }, 'forwarded'],
    ['any of its headers', {}, { 'x-forwarded-proto': 'https' }, 'x-forwarded-proto'],
    ['a trusted proxy that is elsewhere', { peer: '10.0.0.7' }, { 'x-forwarded-for': '127.0.0.1' }, 'loopback'],
    ['who a trusted proxy speaks for', { peer: '::1' }, { 'x-forwarded-for': '192.0.2.7' }, 'X-Forwarded-For'],
    ['who tells it another one', { peer: '::1' }, { 'x-forwarded-for': '127.0.0.1, 192.0.2.7' }, 'X-Forwarded-For'],
    ['who it does not name', { peer: '::1' }, { 'x-forwarded-proto': 'https' }, 'X-Forwarded-For'],
    ['who it calls by a word', { peer: '::1' }, { 'x-forwarded-for': 'localhost' }, 'X-Forwarded-For'],
    ['its other kind', { peer: '::1' }, { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' }, 'forwarded'],
    [
      'a rebound name behind it',
      { peer: '::1' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost, evil.example' },
      'server.hosts',
    ],
    ['a form', {}, { 'content-type': 'text/plain' }, 'content-type'],
    ['a body of no type', {}, { 'content-type': undefined, 'content-length': '2' }, 'content-type'],
    ['a chunked body of no type', {}, { 'content-type': undefined, 'transfer-encoding': 'chunked' }, 'content-type'],
    ['a type that only begins well', {}, { 'content-type': 'application/jsonp' }, 'content-type'],
  ])('keeps out %s, and says what to do', (_name, change, headers, remedy) => {
    expect(problem(change, headers)).toContain(remedy);
    expect(problem(change, headers)).toContain('auth.keys');
  });

  it('knows loopback addresses', () => {
    expect(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'].every(isLoopback)).toBe(true);
    expect(['10.0.0.1', '128.0.0.1', '::2', '::ffff:10.0.0.1', '127.0.0.1.evil'].some(isLoopback)).toBe(false);
  });

  it('reads names of Host headers', () => {
    expect(hostName('[::1]:80')).toBe('[::1]');
    expect(hostName('A.example:1')).toBe('a.example');
    expect(hostName('a b')).toBeNull();
    expect(hostName('')).toBeNull();
  });
});
