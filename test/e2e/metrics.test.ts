import { afterEach, describe, expect, it } from 'vitest';
import { readExposition, type Series } from '../kit/exposition.ts';
import { chat, cleanUp, startGateway } from './gateway-process.ts';
import { AUTHORISED, closeServers, errorOf, NO_KEYS, startServer, until } from './server-kit.ts';

afterEach(() => {
  closeServers();
  cleanUp();
});

const TOKEN = 'telemetry: { prometheus: { token: scrape-token-1234567890 } }';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const PROXY = { 'x-forwarded-for': '192.0.2.7' };

describe('the door of /metrics', () => {
  it.each([
    ['the user of this machine, though clients need keys', {}, 200],
    ['a name of this machine', { host: 'localhost:4180' }, 200],
    ['a wrong token on this machine', bearer('wrong-token-1234567890'), 200],
    ['a proxy', PROXY, 401],
    ['a proxy of the new kind', { forwarded: 'for=192.0.2.7' }, 401],
    ['a rebound name', { host: 'evil.example:4180' }, 401],
    ['a web page', { origin: 'https://evil.example' }, 401],
    ['the token, through a proxy', { ...PROXY, ...bearer('scrape-token-1234567890') }, 200],
    ['the token, by another name', { host: 'gateway.example', ...bearer('scrape-token-1234567890') }, 200],
    ['the admin token, through a proxy', { ...PROXY, ...bearer('admin-token-1234567890') }, 200],
    ['a wrong token, through a proxy', { ...PROXY, ...bearer('scrape-token-123456789') }, 401],
    ['the token in another header', { ...PROXY, 'x-api-key': 'scrape-token-1234567890' }, 401],
    ["a client's key, through a proxy", { ...PROXY, ...AUTHORISED }, 401],
  ])('%s: %j', async (_name, headers, status) => {
    const server = await startServer(TOKEN);
    const answer = await server.ask('GET', '/metrics', { headers });
    expect(answer.status).toBe(status);
    if (status === 200) {
      expect(answer.headers['content-type']).toContain('version=0.0.4');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body).toBe('# the page of metrics\n');
    } else {
      expect(answer.headers['www-authenticate']).toContain('Bearer');
      expect(errorOf(answer.body)).toMatchObject({ code: 'invalid_api_key' });
      expect(errorOf(answer.body)['message']).toContain('telemetry.prometheus.token');
    }
  });

  it('the token for metrics opens nothing else', async () => {
    const server = await startServer(TOKEN);
    for (const path of ['/api/v1/targets', '/v1/models']) {
      expect((await server.ask('GET', path, { headers: bearer('scrape-token-1234567890') })).status, path).toBe(401);
    }
  });

  it('without any token there is only this machine, and the remedy', async () => {
    const server = await startServer('', NO_KEYS);
    const answer = await server.ask('GET', '/metrics', { headers: { ...PROXY, ...bearer('x') } });
    expect(answer.status).toBe(403);
    expect(errorOf(answer.body)).toMatchObject({ code: 'forbidden' });
    expect((await server.ask('GET', '/metrics')).status).toBe(200);
  });

  it('is not there when switched off, for nobody', async () => {
    const server = await startServer('telemetry: { prometheus: { enabled: false, token: scrape-token-1234567890 } }');
    for (const headers of [{}, bearer('scrape-token-1234567890'), bearer('admin-token-1234567890'), PROXY]) {
      const answer = await server.ask('GET', '/metrics', { headers });
      expect(answer.status).toBe(404);
      expect(errorOf(answer.body)['message']).toContain('telemetry.prometheus.enabled');
    }
  });

  it('HEAD gets the head, POST the methods', async () => {
    const server = await startServer('');
    const head = await server.ask('HEAD', '/metrics');
    expect([head.status, head.body]).toEqual([200, '']);
    expect((await server.ask('POST', '/metrics', { body: '{}' })).headers['allow']).toBe('GET, HEAD');
  });
});

describe('a scrape of a running gateway', () => {
  const CONFIG = (enabled: boolean) => `
telemetry: { prometheus: { enabled: ${enabled}, token: scrape-token-1234567890 } }
providers: { demo: { preset: demo } }
models:
  main: { retry: { sameTarget: 0 }, targets: [demo/error-503, demo/ok] }
  lost: { targets: [demo/error-503] }
`;
  const scrape = async (url: string): Promise<readonly Series[]> => {
    const response = await fetch(`${url}/metrics`);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).not.toMatch(/req_|scrape-token/);
    const { series, problems } = readExposition(text, (name) => name.startsWith('understudy_'));
    expect(problems).toEqual([]);
    return series;
  };
  const totalOf = (series: readonly Series[], name: string, labels: Readonly<Record<string, string>> = {}) => {
    const found = series.filter(
      (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    );
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  };

  it('shows the failover that its clients did not see, and where each provider stands', async () => {
    const gateway = await startGateway(CONFIG(true));
    expect(totalOf(await scrape(gateway.url), 'understudy_requests_total')).toBeUndefined();
    expect((await chat(gateway.url, 'main')).status).toBe(200);
    expect((await chat(gateway.url, 'main', { stream: true })).text).toContain('data: [DONE]');
    expect((await chat(gateway.url, 'lost')).status).toBe(503);
    expect((await chat(gateway.url, 'sk-no-model-1234567890')).status).toBe(404);
    const series = await scrape(gateway.url);
    const of = (name: string, labels: Record<string, string> = {}) => totalOf(series, `understudy_${name}`, labels);
    expect(of('requests_total', { model: 'main', outcome: 'ok', status: '2xx', stream: 'true' })).toBe(1);
    expect(of('requests_total', { model: 'main', outcome: 'ok', status: '2xx', stream: 'false' })).toBe(1);
    expect(of('requests_total', { model: 'lost', status: '5xx' })).toBe(1);
    expect(of('requests_total', { model: 'other', outcome: 'rejected', status: '4xx' })).toBe(1);
    expect(of('requests_rescued_total', { model: 'main' })).toBe(2);
    expect(of('failover_added_seconds_count', { model: 'main' })).toBe(2);
    expect(of('attempts_total', { target: 'demo/ok', outcome: 'ok' })).toBe(2);
    expect(of('attempts_total', { target: 'demo/error-503', outcome: 'overloaded' })).toBeGreaterThanOrEqual(3);
    expect(of('first_output_seconds_count', { model: 'main' })).toBe(2);
    expect(of('output_tokens_total', { model: 'main' })).toBeGreaterThan(0);
    expect(of('requests_in_flight')).toBe(0);
    expect(of('ledger_violations_total')).toBe(0);
    expect(of('scope_state', { scope: 'route', id: 'demo/ok#default' })).toBe(0);
    expect(of('scope_state', { scope: 'route', id: 'demo/error-503#default' })).toBe(4);
    expect(of('scope_hold_seconds', { scope: 'route', id: 'demo/error-503#default' })).toBeGreaterThan(0);
    expect(totalOf(series, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });

  it('is switched on and off with the file, and counts meanwhile', async () => {
    const gateway = await startGateway(CONFIG(false));
    expect((await chat(gateway.url, 'main')).status).toBe(200);
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
    gateway.configure(CONFIG(true));
    gateway.child.kill('SIGHUP');
    await until(() => gateway.out().includes('the changed configuration is in force'), 10_000);
    expect(totalOf(await scrape(gateway.url), 'understudy_requests_total', { model: 'main' })).toBe(1);
  });
});
