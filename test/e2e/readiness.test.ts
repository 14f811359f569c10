import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadinessReport } from '../../src/core/readiness/report.ts';
import { chunk, DONE, STOP } from '../kit/chat-stream.ts';
import { text } from '../kit/plays.ts';
import { type EngineGateway, openEngineGateway } from './engine-gateway.ts';

// Twelve routes over three accounts on two endpoints, on real sockets: one answers, six are limited, four are gone, one is
// broken.

type Does = 'ok' | 'limited' | 'gone' | 'broken' | 'silent';

const FIRST: Readonly<Record<string, Does>> = {
  'a2 m1': 'limited',
  'a1 m1': 'limited',
  'a1 m2': 'gone',
  'a2 m2': 'limited',
  'a1 m3': 'limited',
  'a2 m3': 'gone',
  'a1 m4': 'broken',
  'a2 m4': 'limited',
  'b1 m1': 'gone',
  'b1 m2': 'limited',
  'b1 m3': 'ok',
  'b1 m4': 'gone',
};

let does: (route: string) => Does = (route) => FIRST[route] ?? 'gone';
const asked: string[] = [];

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of req as AsyncIterable<Buffer>) parts.push(part);
  const { model } = JSON.parse(Buffer.concat(parts).toString()) as { readonly model: string };
  const [, key = ''] = /sk-fake-(\w\d)-/.exec(req.headers.authorization ?? '') ?? [];
  const route = `${key} ${model}`;
  asked.push(route);
  const fail = (status: number, code: string): void => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ error: { message: 'no', type: 'error', code, param: null } }));
  };
  const answers: { readonly [D in Does]: () => void } = {
    ok: () => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(
        [text(`said by ${route}`), STOP, chunk({ usage: { prompt_tokens: 8, completion_tokens: 2 } }), DONE].join(''),
      );
    },
    limited: () => fail(429, 'rate_limit_exceeded'),
    gone: () => fail(404, 'model_not_found'),
    broken: () => fail(500, 'server_error'),
    silent: () => {},
  };
  answers[does(route)]();
}

const hosts = ['a', 'b'].map(() => createServer((req, res) => void serve(req, res)));
let gateway: EngineGateway;

const FIRST_OUTPUT_MS = 1000;

beforeAll(async () => {
  await Promise.all(hosts.map((host) => new Promise<void>((resolve) => host.listen(0, '127.0.0.1', () => resolve()))));
  const [a, b] = hosts.map((host) => (host.address() as AddressInfo).port);
  const targets = ['a', 'b'].flatMap((provider) => [1, 2, 3, 4].map((n) => `${provider}/m${n}`));
  gateway = await openEngineGateway(`
health: { cooldown: { rateLimited: 2500ms } }
providers:
  a:
    protocol: openai-chat
    baseUrl: http://127.0.0.1:${a}/v1
    credentials: [{ name: k1, apiKey: sk-fake-a1-1234567890 }, { name: k2, apiKey: sk-fake-a2-1234567890 }]
  b: { protocol: openai-chat, baseUrl: "http://127.0.0.1:${b}/v1", apiKey: sk-fake-b1-1234567890 }
models:
  main: { timeouts: { firstOutput: ${FIRST_OUTPUT_MS}ms, headers: ${FIRST_OUTPUT_MS}ms }, targets: [${targets.join(', ')}] }
`);
}, 30_000);

afterAll(async () => {
  await gateway.close();
  for (const host of hosts) host.close().closeAllConnections();
});

const post = async (path: string, body: object): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const CHAT = { model: 'main', stream: true, messages: [{ role: 'user', content: 'hi' }] };

type Ranked = {
  readonly rank: number | null;
  readonly availability: { readonly state: string; readonly until: string | null };
};

describe('a pool of which one route answers', () => {
  it('has one that is ready, seven spares, and four that are gone', async () => {
    const response = await post('/api/v1/readiness/probe', {});
    const { models } = (await response.json()) as ReadinessReport;
    expect(models[0]).toMatchObject({
      candidates: 12,
      probed: 12,
      ready: 1,
      slow: 0,
      deferred: 7,
      rejected: 4,
      postponed: 0,
      unreached: 0,
      endpoints: 2,
      credentials: 3,
      warnings: [],
    });
    expect([...asked].sort()).toEqual(Object.keys(FIRST).sort());
    const told = await (await fetch(`${gateway.url}/api/v1/readiness`)).text();
    expect(told).not.toContain('sk-fake');
    expect(told).not.toContain('://');
  });

  it('is asked in that order: what is ready, then whose time has come, then by soonest return', async () => {
    const response = await post('/api/v1/plan', CHAT);
    const { candidates } = (await response.json()) as { readonly candidates: readonly Ranked[] };
    const ranked = candidates.filter(({ rank }) => rank !== null);
    const states = ranked.map(({ availability }) => availability.state);
    expect(states[0]).toBe('ready');
    expect(states.slice(1)).toEqual(Array.from({ length: 6 }, () => 'deferred'));
    const now = Date.now();
    const held = ranked.flatMap(({ availability: { until } }) =>
      until === null || Date.parse(until) <= now ? [] : [until],
    );
    expect(held).toEqual([...held].sort());
  });

  it('is served by a spare within a second where the ready one falls silent', async () => {
    does = (route) => (route === 'b1 m3' ? 'silent' : FIRST[route] === 'limited' ? 'ok' : 'gone');
    asked.length = 0;
    const startedAt = performance.now();
    const response = await post('/v1/chat/completions', CHAT);
    const said = await response.text();
    expect(performance.now() - startedAt).toBeLessThan(FIRST_OUTPUT_MS + 1000);
    expect(response.status).toBe(200);
    expect(said).toContain('said by');
    expect(asked).toHaveLength(2);
    expect(asked[0]).toBe('b1 m3');
  });

  it('asks nobody twice before all were tried', async () => {
    const last = 'a2 m4';
    does = (route) => (route === last ? 'ok' : 'limited');
    asked.length = 0;
    const response = await post('/v1/chat/completions', CHAT);
    expect(await response.text()).toContain(`said by ${last}`);
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('has its probes on record, and not among the requests of clients', async () => {
    const list = async (query: string) =>
      ((await (await fetch(`${gateway.url}/api/v1/requests${query}`)).json()) as { data: { kind: string }[] }).data;
    expect((await list('')).map(({ kind }) => kind)).toEqual(['answer', 'answer']);
    expect(await list('?kind=probe')).toHaveLength(12);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    const total = [...metrics.matchAll(/^understudy_requests_total\{.*\} (\d+)$/gm)].map(([, n]) => Number(n));
    expect(total.reduce((sum, n) => sum + n, 0)).toBe(2);
    expect(metrics).toContain('understudy_probes_total{provider="b",state="ready"} 1');
    const check = (await (await fetch(`${gateway.url}/api/v1/reconcile`)).json()) as { readonly ok?: boolean };
    expect(check).toMatchObject({ ok: true });
  });
});
