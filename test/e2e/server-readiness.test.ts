import { afterEach, describe, expect, it } from 'vitest';
import { createFakeProber, modelOf, reportOf, routeOf } from '../kit/fake-prober.ts';
import { connectRaw, requestText } from '../kit/raw-client.ts';
import { AUTHORISED, closeServers, NO_KEYS, startServer, until } from './server-kit.ts';

afterEach(closeServers);

const ROUTE_A = 'a/m-a#default';
const ROUTE_B = 'a/m-b#default';
const NOBODY = reportOf([
  modelOf('main', [routeOf(ROUTE_A, 'deferred', { reason: 'overloaded', http_status: 503 })]),
  modelOf('other', [routeOf(ROUTE_B, 'unreached')]),
]);
const ONE = reportOf([modelOf('main', [routeOf(ROUTE_A, 'ready')]), modelOf('other', [routeOf(ROUTE_B, 'unreached')])]);

const ADMIN = { authorization: 'Bearer admin-token-1234567890' };
const parse = (body: string) => JSON.parse(body) as Record<string, unknown>;

describe('/readyz', () => {
  it('with --wait-ready: 503 with counts until a model has a ready route, then 200 for good', async () => {
    const prober = createFakeProber(NOBODY);
    const server = await startServer('', NO_KEYS, { prober, waitFor: 1 });
    const before = await server.ask('GET', '/readyz');
    expect(before.status).toBe(503);
    expect(parse(before.body)).toMatchObject({
      status: 'starting',
      wait_ready: 1,
      models: {
        main: { candidates: 1, probed: 1, ready: 0, slow: 0, deferred: 1, rejected: 0, postponed: 0, unreached: 0 },
        other: { candidates: 1, probed: 0, unreached: 1 },
      },
      error: { code: 'no_target_available', message: 'No model has a ready route yet.' },
    });
    expect((await server.ask('GET', '/readyz?capacity=1')).status).toBe(503);
    prober.knows(ONE);
    expect(parse((await server.ask('GET', '/readyz')).body)).toEqual({ status: 'ready' });
    prober.knows(NOBODY);
    expect((await server.ask('GET', '/readyz')).status).toBe(200);
    server.server.drain();
    expect(parse((await server.ask('GET', '/readyz')).body)).toMatchObject({ status: 'draining' });
  });

  it('waits for as many routes of one model as it is told', async () => {
    const prober = createFakeProber(ONE);
    const server = await startServer('', NO_KEYS, { prober, waitFor: 2 });
    expect((await server.ask('GET', '/readyz')).body).toContain('No model has 2 ready routes yet.');
    prober.knows(reportOf([modelOf('main', [routeOf(ROUTE_A, 'ready'), routeOf('a/m-c#default', 'slow')])]));
    expect((await server.ask('GET', '/readyz')).status).toBe(200);
  });

  it('waits for nothing where there is no model', async () => {
    const server = await startServer('', NO_KEYS, { prober: createFakeProber(reportOf([])), waitFor: 1 });
    expect((await server.ask('GET', '/readyz')).status).toBe(200);
  });

  it('without --wait-ready it is about the process', async () => {
    const server = await startServer('', NO_KEYS, { prober: createFakeProber(NOBODY) });
    expect((await server.ask('GET', '/readyz')).status).toBe(200);
  });

  it.each([
    ['full', 503],
    ['recovery', 200],
    ['off', 200],
  ])('?capacity=1 in mode %s, before any route was ready: %d', async (mode, status) => {
    const prober = createFakeProber(NOBODY);
    const server = await startServer(`readiness: { probe: { mode: ${mode} } }`, NO_KEYS, { prober });
    const before = await server.ask('GET', '/readyz?capacity=1');
    expect(before.status).toBe(status);
    expect(parse(before.body)).toMatchObject({
      status: status === 200 ? 'ready' : 'no_capacity',
      capacity: { routes: 2, able: 2, ready: 2 },
      models: { main: { ready: 0, deferred: 1 } },
    });
    prober.knows(ONE);
    expect((await server.ask('GET', '/readyz?capacity=1')).status).toBe(200);
  });

  it('names models to those only who may ask for them', async () => {
    const server = await startServer('', undefined, { prober: createFakeProber(NOBODY), waitFor: 1 });
    const seen = async (headers: Readonly<Record<string, string>>) => {
      const told = parse((await server.ask('GET', '/readyz', { headers })).body);
      expect(told).toMatchObject({ status: 'starting', wait_ready: 1 });
      return Object.keys(told['models'] ?? {});
    };
    expect(await seen({})).toEqual([]);
    expect(await seen({ authorization: 'Bearer a-key-that-nobody-has' })).toEqual([]);
    expect(await seen(AUTHORISED)).toEqual(['main', 'other']);
    expect(await seen({ authorization: 'Bearer narrow-key-1234567890' })).toEqual(['other']);
  });
});

describe('POST /api/v1/readiness/probe', () => {
  it('is behind the door of the management API', async () => {
    const prober = createFakeProber(ONE);
    const server = await startServer('', undefined, { prober });
    expect((await server.ask('POST', '/api/v1/readiness/probe', { body: '{}' })).status).toBe(401);
    expect((await server.ask('POST', '/api/v1/readiness/probe', { headers: AUTHORISED, body: '{}' })).status).toBe(401);
    expect((await server.ask('GET', '/api/v1/readiness')).status).toBe(401);
    expect((await server.ask('GET', '/api/v1/readiness', { headers: ADMIN })).status).toBe(200);
    expect(prober.rounds).toEqual([]);
  });

  it('is for no form of a web page', async () => {
    const prober = createFakeProber(ONE);
    const server = await startServer('', NO_KEYS, { prober });
    const headers = { 'content-type': 'text/plain' };
    expect((await server.ask('POST', '/api/v1/readiness/probe', { headers, body: '{}' })).status).toBe(403);
    expect(prober.rounds).toEqual([]);
  });

  it('waits for the end of the round, or streams what goes on, one event after the other', async () => {
    const prober = createFakeProber(ONE);
    const server = await startServer('', NO_KEYS, { prober });
    const whole = server.ask('POST', '/api/v1/readiness/probe', { body: '{"models":["main"]}' });
    await until(() => prober.rounds.length === 1);
    prober.end();
    expect(parse((await whole).body)).toMatchObject({ models: [{ model: 'main' }] });

    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
    const stream = server.ask('POST', '/api/v1/readiness/probe', { headers, body: '{}' });
    await until(() => prober.rounds.length === 2);
    prober.says({ type: 'probe_ended', route: ROUTE_A, provider: 'a', state: 'ready', ms: 3 });
    prober.end();
    const { status, headers: head, body } = await stream;
    expect([status, head['content-type'], head['content-length']]).toEqual([200, 'text/event-stream', undefined]);
    const events = body.split('\n\n').filter((text) => text !== '');
    expect(events.map((text) => /^event: (\w+)\ndata: (.*)$/.exec(text)?.[1])).toEqual([
      'probing',
      'probe_ended',
      'report',
    ]);
  });

  it('a mistake is told as one, whatever the client accepts', async () => {
    const server = await startServer('', NO_KEYS, { prober: createFakeProber(ONE) });
    const headers = { accept: 'text/event-stream' };
    const answer = await server.ask('POST', '/api/v1/readiness/probe', { headers, body: '{"models":["nope"]}' });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  it('a client that leaves ends nothing', async () => {
    const prober = createFakeProber(ONE);
    const server = await startServer('', NO_KEYS, { prober });
    const connection = await connectRaw(server.port);
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
    connection.write(requestText('POST', '/api/v1/readiness/probe', { headers, body: '{}' }));
    await until(() => prober.watchers() === 1);
    connection.destroy();
    await until(() => prober.watchers() === 0);
    prober.says({ type: 'round_ended' });
    prober.end();
    expect((await server.ask('GET', '/livez')).status).toBe(200);
    expect(server.notices).toEqual([]);
  });
});
