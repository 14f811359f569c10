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

/** Of the wild. */
const PROXY_NAMES = `
  x-real-ip via cf-connecting-ip cf-connecting-ipv6 cf-ray true-client-ip client-ip x-client-ip
  forwarded-for x-forwarded x-original-forwarded-for x-cluster-client-ip x-real_ip fastly-client-ip
  fly-client-ip x_forwarded_for x-envoy-external-address x-proxyuser-ip x-forwarded-server x_real_ip
  x-appengine-user-ip x-azure-clientip wl-proxy-client-ip cdn-loop x-nf-client-connection-ip
  do-connecting-ip x-remote-addr x-originating-ip x-vercel-forwarded-for
`
  .trim()
  .split(/\s+/);

describe('the loopback rule', () => {
  it.each([
    ['as it is', {}, {}],
    ['by name', {}, { host: 'LocalHost:4180' }],
    ['by IPv6', { peer: '::1' }, { host: '[::1]:4180' }],
    ['by a listed name', {}, { host: 'gateway.lan' }],
    ['from a listed page', {}, { origin: 'https://app.example' }],
    ['from its own page', {}, { origin: 'http://127.0.0.1:4180' }],
    ['from its own page by name', {}, { host: 'LocalHost:4180', origin: 'http://localhost:4180' }],
    ['with a charset', {}, { 'content-type': 'application/json; charset=utf-8' }],
    ['GET without a body', { method: 'GET' }, { 'content-type': undefined }],
    ['POST without a body', {}, { 'content-type': undefined, 'content-length': '0' }],
    [
      'through a proxy that is trusted',
      { peer: '::1' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' },
    ],
    ['with what clients of a content network send', {}, { 'cf-aig-metadata': '{}', 'x-client-request-id': '1' }],
    [
      'through a proxy that says it in several ways',
      { peer: '::1' },
      { 'x-forwarded-for': '::1', 'x-real-ip': '127.0.0.1', via: '1.1 here', 'x-original-forwarded-for': '10.0.0.1' },
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
    ['a page of another port', {}, { origin: 'http://127.0.0.1:3000' }, 'server.cors'],
    ['a page of another name for here', {}, { origin: 'http://localhost:4180' }, 'server.cors'],
    [
      'a page whose name was rebound',
      {},
      { host: 'evil.example:4180', origin: 'http://evil.example:4180' },
      'server.hosts',
    ],
    ['a page without origin', {}, { origin: 'null' }, 'server.cors'],
    ['a proxy', {}, { 'x-forwarded-for': '192.0.2.7' }, 'x-forwarded-for'],
    ['a proxy of the new kind', {}, { forwarded: 'for=192.0.2.7' }, 'forwarded'],
    ['any of its headers', {}, { 'x-forwarded-proto': 'https' }, 'x-forwarded-proto'],
    [
      'a name of its own for a client elsewhere',
      { peer: '::1' },
      { 'x-forwarded-for': '127.0.0.1', 'true-client-ip': '203.0.113.9' },
      'header true-client-ip',
    ],
    [
      'a chain that begins elsewhere',
      { peer: '::1' },
      { 'x-forwarded-for': '127.0.0.1', 'x-original-forwarded-for': '203.0.113.9, 127.0.0.1' },
      'header x-original-forwarded-for',
    ],
    [
      'a word for an address',
      { peer: '::1' },
      { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': 'unknown' },
      'header x-real-ip',
    ],
    [
      'what it was sent in another spelling',
      { peer: '::1' },
      { 'x-forwarded-for': '127.0.0.1', x_forwarded_for: '127.0.0.1' },
      'header x_forwarded_for',
    ],
    ['a mark and nothing else', { peer: '::1' }, { via: '1.1 here' }, 'X-Forwarded-For'],
    [
      'a rebound name in another header',
      { peer: '::1' },
      { 'x-forwarded-for': '127.0.0.1', 'x-original-host': 'evil.example' },
      'server.hosts',
    ],
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

  it.each(PROXY_NAMES)('knows a proxy by %s', (name) => {
    expect(problem({}, { [name]: '127.0.0.1' })).toContain(`header ${name}`);
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
