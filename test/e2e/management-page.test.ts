import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createAuditFile } from '../../src/adapter/audit-file/index.ts';
import { createSystemClock } from '../../src/adapter/clock-system/index.ts';
import { createLiveTelemetry } from '../../src/adapter/telemetry-live/index.ts';
import { sessionView } from '../../src/management/activity-contract.ts';
import { createDashboard } from '../../src/server/index.ts';
import { connectRaw, type RawConnection, requestText } from '../kit/raw-client.ts';
import { closeServers, KEYS, NO_KEYS, sleep, startServer, until } from './server-kit.ts';

const TOKEN = 'admin-token-1234567890';
const JSON_BODY = { 'content-type': 'application/json' };
const CSRF = { 'x-understudy-csrf': '1', 'sec-fetch-site': 'same-origin' };
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(4_000))});`;

const folder = mkdtempSync(join(tmpdir(), 'understudy-pages-'));
mkdirSync(join(folder, 'built', 'assets'), { recursive: true });
writeFileSync(join(folder, 'built', 'index.html'), '<!doctype html><title>Built</title>');
writeFileSync(join(folder, 'built', 'favicon.svg'), '<svg/>');
writeFileSync(join(folder, 'built', 'assets', 'index-DEADBEEF.js'), SCRIPT);
writeFileSync(join(folder, 'secret.txt'), 'nobody may read this');

afterEach(closeServers);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const live = () => createLiveTelemetry({ now: () => 1_700_000_000_000, mark: 'boot' });
const cookieOf = (headers: Readonly<Record<string, string>>): string =>
  (headers['set-cookie'] ?? '').split(';', 1)[0] ?? '';

describe('a browser that logs in', () => {
  it('gives the token for a cookie, and the cookie opens what the token opens', async () => {
    const audit = createAuditFile({});
    const server = await startServer('', KEYS, null, { audit });
    const closed = await server.ask('GET', '/api/v1/session');
    expect(sessionView.parse(JSON.parse(closed.body))).toEqual({ entered: false, needs_token: true, expires_at: null });
    const body = JSON.stringify({ token: TOKEN });
    const opened = await server.ask('POST', '/api/v1/session', { headers: JSON_BODY, body });
    expect(sessionView.parse(JSON.parse(opened.body))).toMatchObject({ entered: true, expires_at: expect.any(String) });
    expect(opened.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict;/);
    const cookie = cookieOf(opened.headers);
    const status = async (method: string, path: string, headers: Record<string, string>) =>
      (await server.ask(method, path, { headers })).status;
    expect(await status('GET', '/api/v1/targets', { cookie })).toBe(200);
    expect(await status('GET', '/api/v1/targets', {})).toBe(401);
    // No page but our own may use it, and a change takes a header that others can't send.
    expect(await status('GET', '/api/v1/targets', { cookie, 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await status('POST', '/api/v1/targets/a%2Fm-a/disable', { cookie })).toBe(403);
    expect(await status('POST', '/api/v1/targets/a%2Fm-a/disable', { cookie, ...CSRF })).toBe(200);
    // It is no client key.
    expect(await status('GET', '/v1/models', { cookie })).toBe(401);
    const ended = await server.ask('DELETE', '/api/v1/session', { headers: { cookie, ...CSRF } });
    expect(ended.headers['set-cookie']).toContain('Max-Age=0');
    expect(await status('GET', '/api/v1/targets', { cookie })).toBe(401);
    const { data } = await audit.list({ limit: 10 });
    expect(data.map(({ action, by, status: told, address }) => [action, by, told, address])).toEqual([
      ['log_out', 'session', 200, '127.0.0.1'],
      ['log_in', 'session', 200, '127.0.0.1'],
    ]);
  });

  it('may try five times a minute', async () => {
    const audit = createAuditFile({});
    const server = await startServer('', KEYS, null, { audit });
    const log = (body: string, headers: Record<string, string> = {}) =>
      server.ask('POST', '/api/v1/session', { headers: { ...JSON_BODY, ...headers }, body });
    expect((await log('{"token":"x"}', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const wrong = await log('{"token":"wrong"}');
    expect([wrong.status, wrong.headers['content-type']]).toEqual([401, 'application/problem+json; charset=utf-8']);
    expect((await log('[]')).status).toBe(400);
    for (let n = 0; n < 3; n++) await log('{"token":"wrong"}');
    const late = await log(JSON.stringify({ token: TOKEN }));
    expect(late.status).toBe(429);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(50);
    expect((await audit.list({ limit: 10 })).data.map(({ status }) => status)).toEqual([429, 401, 401, 401, 401]);
  });

  it('needs no cookie on this machine where there is no token', async () => {
    const server = await startServer('', NO_KEYS);
    const view = async (headers: Record<string, string> = {}) =>
      sessionView.parse(JSON.parse((await server.ask('GET', '/api/v1/session', { headers })).body));
    expect(await view()).toEqual({ entered: true, needs_token: false, expires_at: null });
    expect(await view({ 'x-forwarded-for': '192.0.2.1' })).toMatchObject({ entered: false });
    const body = JSON.stringify({ token: 'x' });
    expect((await server.ask('POST', '/api/v1/session', { headers: JSON_BODY, body })).status).toBe(400);
    // Its own page says where it comes from.
    const origin = `http://127.0.0.1:${server.port}`;
    const own = { ...JSON_BODY, host: `127.0.0.1:${server.port}`, origin };
    expect((await server.ask('POST', '/api/v1/targets/a%2Fm-a/reset', { headers: own, body: '{}' })).status).toBe(200);
    const other = { ...own, origin: 'http://127.0.0.1:3000' };
    expect((await server.ask('POST', '/api/v1/targets/a%2Fm-a/reset', { headers: other, body: '{}' })).status).toBe(
      403,
    );
  });
});

describe('the stream of events', () => {
  const change = { result: 'in_force', models: 1, providers: 1 } as const;

  async function watch(path: string, more: Parameters<typeof startServer>[3]) {
    const server = await startServer('', NO_KEYS, null, more);
    const connection = await connectRaw(server.port);
    connection.write(requestText('GET', path));
    await until(() => connection.received.includes('event: '));
    return { server, connection };
  }

  it('tells what happens, and ends when the gateway leaves, which waits for nobody who watches', async () => {
    const { feed, telemetry } = live();
    const { server, connection } = await watch('/api/v1/events', { feed });
    expect(connection.received).toContain('content-type: text/event-stream');
    telemetry.configChanged(change);
    await until(() => connection.received.includes('event: config_changed'));
    expect(server.server.inFlight()).toBe(0);
    server.server.drain();
    await until(() => connection.received.endsWith('0\r\n\r\n'));
    expect((await server.ask('GET', '/api/v1/events')).status).toBe(503);
  });

  it('goes on where a client was, and tells what it asks for alone', async () => {
    const { feed, telemetry } = live();
    for (let n = 0; n < 3; n++) telemetry.configChanged(change);
    const { connection } = await watch('/api/v1/events?types=config_changed&last_event_id=boot-1', { feed });
    await until(() => connection.received.includes('id: boot-3'));
    telemetry.discoveryFailed({ provider: 'a', reason: 'auth' });
    telemetry.configChanged(change);
    await until(() => connection.received.includes('id: boot-5'));
    expect(connection.received).not.toContain('discovery_failed');
    expect(connection.received).not.toContain('id: boot-0');
    connection.destroy();
  });

  it('keeps nothing for a client that does not read', async () => {
    const { feed, telemetry } = live();
    // Nothing but the client holds it up.
    const system = createSystemClock();
    const clock = { ...system, setTimer: (ms: number, fire: () => void) => system.setTimer(ms > 100 ? ms : 0, fire) };
    const { connection } = await watch('/api/v1/events', { feed, clock });
    connection.pause();
    for (let n = 1; n <= 40_000; n++) {
      telemetry.configChanged(change);
      if (n % 250 === 0) await sleep(2);
    }
    connection.resume();
    await until(() => connection.received.includes('event: lagged'), 10_000);
    await until(() => connection.received.includes('id: boot-40000'), 10_000);
    // The ring, and what sockets hold.
    expect(connection.received.length).toBeLessThan(8 * 1024 * 1024);
    connection.destroy();
  });

  it('is refused to many, to strangers, and for events that there are none of', async () => {
    const { feed } = live();
    const server = await startServer('', KEYS, null, { feed });
    expect((await server.ask('GET', '/api/v1/events')).status).toBe(401);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const wrong = await server.ask('GET', '/api/v1/events?types=moon', { headers });
    expect([wrong.status, JSON.parse(wrong.body).detail]).toEqual([400, expect.stringContaining('request_started')]);
    const connections: RawConnection[] = [];
    for (let n = 0; n < 64; n++) {
      const connection = await connectRaw(server.port);
      connection.write(requestText('GET', '/api/v1/events', { headers }));
      connections.push(connection);
    }
    await until(() => connections.every((connection) => connection.received.includes('event: opened')));
    expect((await server.ask('GET', '/api/v1/events', { headers })).status).toBe(503);
    connections[0]?.destroy();
    await until(async () => {
      const next = await connectRaw(server.port);
      next.write(requestText('GET', '/api/v1/events', { headers }));
      await until(() => next.received.includes('\r\n\r\n'));
      const isIn = next.received.startsWith('HTTP/1.1 200');
      next.destroy();
      return isIn;
    });
    for (const connection of connections) connection.destroy();
  });
});

describe('the pages', () => {
  const dashboard = createDashboard(join(folder, 'built'));
  const start = () => startServer('', KEYS, null, { dashboard });

  it('are shown to browsers at /, and programs get what they always got', async () => {
    const server = await start();
    const page = await server.ask('GET', '/', { headers: PAGE });
    expect([page.status, page.body]).toEqual([200, '<!doctype html><title>Built</title>']);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(JSON.parse((await server.ask('GET', '/')).body)).toMatchObject({ name: 'Understudy' });
    const known = await server.ask('GET', '/', { headers: { ...PAGE, 'if-none-match': page.headers['etag'] ?? '' } });
    expect([known.status, known.body]).toEqual([304, '']);
    const head = await server.ask('HEAD', '/', { headers: PAGE });
    expect([head.status, head.headers['content-length']]).toEqual([200, String(page.body.length)]);
  });

  it('have addresses of their own, which programs do not see', async () => {
    const server = await start();
    expect((await server.ask('GET', '/requests/req_1', { headers: PAGE })).body).toContain('Built');
    expect((await server.ask('GET', '/requests/req_1')).status).toBe(404);
    for (const path of ['/v1/nothing', '/api/nothing', '/v1beta/x'])
      expect((await server.ask('GET', path, { headers: PAGE })).status, path).toBe(404);
    expect((await server.ask('POST', '/requests', { headers: { ...PAGE, ...JSON_BODY }, body: '{}' })).status).toBe(
      404,
    );
    expect((await server.ask('GET', '/favicon.svg')).headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  });

  it('have files that may be kept for ever, compressed for those who can read that', async () => {
    const server = await start();
    const path = '/assets/index-DEADBEEF.js';
    const plain = await server.ask('GET', path);
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding, origin',
    });
    expect(plain.body).toBe(SCRIPT);
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip, br;q=0', 'gzip'],
    ] as const) {
      const coded = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'accept-encoding': accepted } });
      expect(coded.headers.get('content-encoding')).toBe(coding);
      expect(await coded.text()).toBe(SCRIPT);
    }
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%5c..%5csecret.txt',
    `/${folder}/secret.txt`,
    '/assets/nothing-DEADBEEF.js',
    '/__proto__.js',
    '/constructor.js',
  ])('are all that is there: %s', async (path) => {
    const answer = await (await start()).ask('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('nobody may read');
  });

  it('say how to build them where they were not', async () => {
    const server = await startServer('', KEYS, null, { dashboard: createDashboard(join(folder, 'none')) });
    const page = await server.ask('GET', '/', { headers: PAGE });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('npm run prepare');
    expect((await server.ask('GET', '/requests', { headers: PAGE })).status).toBe(404);
  });
});
