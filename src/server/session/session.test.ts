import { describe, expect, it } from 'vitest';
import { configOf } from '../../../test/kit/config-text.ts';
import { createVirtualClock } from '../../../test/kit/virtual-clock.ts';
import { findForeignPage } from './foreign-page.ts';
import { createLogInLimit } from './log-in-limit.ts';
import { createSessionStore, sessionCookie } from './session-store.ts';

const HOUR = 3_600_000;
const configWith = (token: string | null) =>
  configOf(`
${token === null ? '' : `auth: { adminToken: ${token} }`}
providers: { a: { preset: openai, apiKey: sk-fake-a-1234567890 } }
models: { main: { targets: [a/m] } }
`);
const config = configWith('fake-admin-token-1');
const cookie = (id: string) => ({ cookie: `other=1; understudy_session=${id}; more=2` });

describe('sessions', () => {
  it('last half a day', () => {
    const clock = createVirtualClock();
    const sessions = createSessionStore(clock);
    const { id, session } = sessions.open(config);
    expect(session.expiresAt).toBe(clock.now() + 12 * HOUR);
    expect(sessions.find(cookie(id), config)).toEqual(session);
    clock.advance(12 * HOUR - 1);
    expect(sessions.find(cookie(id), config)).toEqual(session);
    clock.advance(1);
    expect(sessions.find(cookie(id), config)).toBeNull();
  });

  it('end with the token that opened them', () => {
    const sessions = createSessionStore(createVirtualClock());
    const { id } = sessions.open(config);
    expect(sessions.find(cookie(id), configWith(null))).toBeNull();
    expect(sessions.find(cookie(id), configWith('fake-admin-token-2'))).toBeNull();
    expect(sessions.find(cookie(id), config)).toBeNull();
  });

  it('end when they are closed, and are nobody else’s', () => {
    const sessions = createSessionStore(createVirtualClock());
    const [one, other] = [sessions.open(config), sessions.open(config)];
    expect(one.id).not.toBe(other.id);
    expect(sessions.close(cookie(one.id))).toBe(true);
    expect(sessions.close(cookie(one.id))).toBe(false);
    expect(sessions.find(cookie(one.id), config)).toBeNull();
    expect(sessions.find(cookie(other.id), config)).not.toBeNull();
    for (const headers of [{}, cookie(''), cookie('x'), { cookie: `xunderstudy_session=${other.id}` }])
      expect(sessions.find(headers as Record<string, string>, config)).toBeNull();
  });

  it('are bounded: the oldest makes room', () => {
    const sessions = createSessionStore(createVirtualClock());
    const ids = Array.from({ length: 101 }, () => sessions.open(config).id);
    expect(ids.map((id) => sessions.find(cookie(id), config) !== null).indexOf(true)).toBe(1);
  });

  it('have a cookie that no script and no other page can use', () => {
    expect(sessionCookie('x', { isSecure: false })).toBe(
      'understudy_session=x; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200',
    );
    expect(sessionCookie('', { isSecure: true })).toBe(
      'understudy_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
    );
  });
});

describe('log-ins', () => {
  it('are five a minute for each address', () => {
    const clock = createVirtualClock();
    const limit = createLogInLimit(clock);
    for (let n = 0; n < 5; n++) {
      expect(limit.enter('192.0.2.1')).toBeNull();
      clock.advance(1_000);
    }
    expect(limit.enter('192.0.2.1')).toBe(55_000);
    expect(limit.enter('192.0.2.2')).toBeNull();
    clock.advance(55_000);
    expect(limit.enter('192.0.2.1')).toBeNull();
    expect(limit.enter('192.0.2.1')).toBe(1_000);
  });

  it('are sixty for all of them', () => {
    const limit = createLogInLimit(createVirtualClock());
    for (let n = 0; n < 60; n++) expect(limit.enter(`192.0.2.${n}`)).toBeNull();
    expect(limit.enter('198.51.100.1')).toBe(60_000);
  });
});

describe('a request with the cookie', () => {
  const own = { 'sec-fetch-site': 'same-origin' };
  it.each([
    ['GET', {}, true],
    ['GET', own, true],
    ['GET', { 'sec-fetch-site': 'none' }, true],
    ['GET', { 'sec-fetch-site': 'same-site' }, false],
    ['GET', { 'sec-fetch-site': 'cross-site', 'x-understudy-csrf': '1' }, false],
    ['POST', own, false],
    ['POST', { ...own, 'x-understudy-csrf': '1' }, true],
    ['PUT', { 'x-understudy-csrf': '1' }, true],
    ['DELETE', { 'sec-fetch-site': 'same-site', 'x-understudy-csrf': '1' }, false],
  ])('%s with %j: %s', (method, headers, isOurs) => {
    expect(findForeignPage(method, headers as Record<string, string>) === null).toBe(isOurs);
  });
});
