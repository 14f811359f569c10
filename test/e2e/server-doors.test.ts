import https from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { connectRaw, requestText } from '../kit/raw-client.ts';
import { createSelfSigned } from '../kit/self-signed.ts';
import { AUTHORISED, CHAT, closeServers, errorOf, NO_KEYS, startServer } from './server-kit.ts';

afterEach(closeServers);

describe('keys', () => {
  it.each([
    ['none', {}, 401],
    ['a wrong one', { authorization: 'Bearer gw-wrong-1234567890' }, 401],
    ['x-api-key', { 'x-api-key': 'client-key-1234567890' }, 200],
    ['x-goog-api-key', { 'x-goog-api-key': 'client-key-1234567890' }, 200],
    ['the admin token', { authorization: 'Bearer admin-token-1234567890' }, 401],
    ['one for other models', { 'x-api-key': 'narrow-key-1234567890' }, 403],
  ])('%s', async (_name, headers, status) => {
    const server = await startServer('');
    const answer = await server.ask('POST', '/v1/chat/completions', { body: CHAT, headers });
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('gw-wrong');
    if (status !== 200) expect(server.rejections).toHaveLength(1);
    if (status === 401) expect(errorOf(answer.body)['code']).toBe('invalid_api_key');
    if (status === 403) expect(errorOf(answer.body)['code']).toBe('model_not_allowed');
  });

  it.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])(
    '%s: a wrong one is no reason to ask again, and the client is told so',
    async (path) => {
      const server = await startServer('');
      const answer = await server.ask('POST', path, { body: CHAT, headers: { 'x-api-key': 'gw-wrong-1234567890' } });
      expect(answer).toMatchObject({ status: 401, headers: { 'x-should-retry': 'false' } });
      expect(errorOf(answer.body)).toMatchObject({ understudy: { should_retry: false } });
    },
  );

  it('a narrow key sees its models only', async () => {
    const server = await startServer('');
    const { body } = await server.ask('GET', '/v1/models', { headers: { 'x-api-key': 'narrow-key-1234567890' } });
    expect(JSON.parse(body).data.map((model: { id: string }) => model.id)).toEqual(['other']);
  });

  it('without one the body is not asked for', async () => {
    const server = await startServer('');
    const connection = await connectRaw(server.port);
    connection.write(
      requestText('POST', '/v1/chat/completions', { headers: { expect: '100-continue', 'content-length': '500' } }),
    );
    const answer = await connection.answer();
    expect(answer.status).toBe(401);
    expect(answer.headers['connection']).toBe('close');
    await connection.closed;
  });

  it('with one a waiting client is told to go on', async () => {
    const server = await startServer('');
    const connection = await connectRaw(server.port);
    const head = { ...AUTHORISED, expect: '100-continue', 'content-length': String(CHAT.length) };
    connection.write(requestText('POST', '/v1/chat/completions', { headers: head }));
    expect((await connection.answer()).status).toBe(100);
    connection.write(CHAT);
    expect((await connection.answer()).status).toBe(200);
    connection.destroy();
  });
});

describe('without keys', () => {
  const page = { origin: 'http://page.example' };
  it.each([
    ['the user', {}, 200],
    ['localhost', { host: 'localhost:4180' }, 200],
    ['a dummy key', { authorization: 'Bearer sk-anything' }, 200],
    ['a listed page', { origin: 'https://app.example' }, 200],
    ['a foreign Host', { host: 'gateway.example:4180' }, 403],
    ['a page', page, 403],
    ['a proxy', { 'x-forwarded-for': '192.0.2.7' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 403],
  ])('%s', async (_name, headers, status) => {
    const server = await startServer('server: { cors: ["https://app.example"] }', NO_KEYS);
    const answer = await server.ask('POST', '/v1/chat/completions', { body: CHAT, headers });
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(errorOf(answer.body)).toMatchObject({ code: 'forbidden', understudy: { component: 'client' } });
    }
    const api = await server.ask('GET', '/api/v1/targets', { headers: { ...headers, 'content-type': null } });
    expect(api.status).toBe(headers === page || 'host' in headers || 'x-forwarded-for' in headers ? status : 200);
  });

  it('a listed page may ask first, and read the answer', async () => {
    const server = await startServer('server: { cors: ["https://app.example"] }', NO_KEYS);
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const first = await server.ask('OPTIONS', '/v1/chat/completions', { headers });
    expect(first.status).toBe(204);
    expect(first.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(first.headers['x-request-id']).toMatch(/^req_/);
    const answer = await server.ask('POST', '/v1/chat/completions', {
      body: CHAT,
      headers: { origin: headers.origin },
    });
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.example');
    const other = { ...headers, origin: 'https://evil.example' };
    expect((await server.ask('OPTIONS', '/v1/chat/completions', { headers: other })).status).toBe(403);
  });
});

describe('paths', () => {
  const look = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const server = await startServer('');
    return server.ask(method, path, { headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  };

  it.each([['/'], ['/api/hello'], ['/livez'], ['/readyz'], ['/readyz?capacity=1']])('HEAD %s', async (path) => {
    const answer = await look('HEAD', path);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
  });

  it('GET / says what to do', async () => {
    expect(JSON.parse((await look('GET', '/')).body)).toMatchObject({ name: 'Understudy' });
  });

  it('GET /v1/models: models, their aliases, then targets', async () => {
    const { body } = await look('GET', '/v1/models', AUTHORISED);
    const list = JSON.parse(body) as { object: string; data: { id: string; object: string }[] };
    expect(list.object).toBe('list');
    expect(list.data.map((model) => model.id)).toEqual(['main', 'gpt-main', 'other', 'a/m-a', 'a/m-b']);
    const anthropic = await look('GET', '/v1/models?limit=1000', { ...AUTHORISED, 'anthropic-version': '2023-06-01' });
    expect(JSON.parse(anthropic.body)).toMatchObject({ has_more: false, first_id: 'main', last_id: 'a/m-b' });
  });

  it("GET /v1beta/models: the same in Google's shape", async () => {
    const GOOGLE = { 'x-goog-api-key': 'client-key-1234567890' };
    const list = JSON.parse((await look('GET', '/v1beta/models', GOOGLE)).body) as {
      models: { name: string; supportedGenerationMethods: string[] }[];
    };
    expect(list.models.map(({ name }) => name)).toContain('models/gpt-main');
    expect(list.models[0]?.supportedGenerationMethods).toContain('generateContent');
    const one = await look('GET', '/v1beta/models/a/m-a', GOOGLE);
    expect(JSON.parse(one.body)).toMatchObject({ name: 'models/a/m-a' });
    const none = await look('GET', '/v1beta/models/v-none', GOOGLE);
    expect(JSON.parse(none.body)).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
  });

  it.each([
    ['main', 200],
    ['any-thing', 200],
    ['a%2Fm-a', 200],
    ['a/m-a', 200],
    ['v-none', 404],
  ])('GET /v1/models/%s', async (id, status) => {
    const answer = await look('GET', `/v1/models/${id}`, AUTHORISED);
    expect(answer.status).toBe(status);
    if (status === 404) expect(errorOf(answer.body)).toMatchObject({ code: 'model_not_found' });
    else expect(JSON.parse(answer.body)).toMatchObject({ object: 'model', id: decodeURIComponent(id) });
  });

  it.each([
    ['POST', '/v1/responses/compact', 401],
    ['GET', '/v1/responses/resp_1', 401],
    ['POST', '/v1/messages/count_tokens', 401],
    ['POST', '/v1beta/models/x:generateContent', 401],
    ['POST', '/v1beta/models/x:embedContent', 404],
    ['GET', '/v1beta/models', 401],
    ['GET', '/v1beta/models/x', 401],
    ['GET', '/v1beta/models/x:generateContent', 401],
    ['POST', '/v1/embeddings', 404],
    ['POST', '/v1/completions', 404],
    ['GET', '/nothing', 404],
    ['GET', '/v1/chat/completions', 405],
    ['DELETE', '/v1/models', 405],
  ])('%s %s: %i', async (method, path, status) => {
    const answer = await look(method, path);
    expect(answer.status).toBe(status);
    const body = JSON.parse(answer.body);
    expect(typeof body.error.message).toBe('string');
    if (path.startsWith('/v1/messages'))
      expect(body).toMatchObject({ type: 'error', request_id: answer.headers['x-request-id'] });
    if (status === 405) expect(answer.headers['allow']).toBeTruthy();
    expect(answer.headers['x-should-retry']).toBe('false');
  });

  it.each(['?beta=true', '?beta=true&limit=1000&x=%zz', '?'])(
    'POST /v1/messages%s: what stands there is ignored',
    async (query) => {
      const server = await startServer('');
      const body = JSON.stringify({ model: 'main', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] });
      const headers = { ...AUTHORISED, 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-1,b-2' };
      expect((await server.ask('POST', `/v1/messages${query}`, { headers, body })).status).toBe(200);
      expect(server.calls[0]).toMatchObject({
        request: { protocol: 'anthropic-messages', model: 'main' },
        forward: { 'anthropic-beta': 'a-1,b-2' },
      });
    },
  );

  it('a base URL with one /v1 too many serves all the same', async () => {
    const server = await startServer('');
    const body = JSON.stringify({ model: 'main', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] });
    expect((await server.ask('POST', '/v1/v1/messages?beta=true', { headers: AUTHORISED, body })).status).toBe(200);
    expect(server.calls[0]).toMatchObject({ request: { protocol: 'anthropic-messages', model: 'main' } });
  });

  it('a path that is not served is answered with what to do instead', async () => {
    expect(errorOf((await look('GET', '/health')).body)['message']).toContain('/livez');
    expect(errorOf((await look('POST', '/chat/completions')).body)['message']).toContain('lacks the /v1');
    expect(errorOf((await look('POST', '/v1/completions')).body)['message']).toContain('POST /v1/chat/completions');
  });

  it('a WebSocket upgrade is refused in the way that costs one try', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    expect((await look('GET', '/v1/responses', { ...AUTHORISED, ...upgrade })).status).toBe(426);
    expect((await look('GET', '/v1/responses', upgrade)).status).toBe(401);
  });
});

describe('the management API', () => {
  it('needs the admin token where there is one', async () => {
    const server = await startServer('');
    const ask = (headers: Record<string, string>) => server.ask('GET', '/api/v1/targets', { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask(AUTHORISED)).status).toBe(401);
    const answer = await ask({ authorization: 'Bearer admin-token-1234567890' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).data).toHaveLength(4);
    expect(answer.body).not.toContain('sk-fake');
  });

  it('takes targets out of service', async () => {
    const server = await startServer('');
    const headers = { authorization: 'Bearer admin-token-1234567890' };
    const id = encodeURIComponent('a/m-a#default');
    const answer = await server.ask('POST', `/api/v1/targets/${id}/disable`, { headers, body: '{}' });
    expect(JSON.parse(answer.body)).toMatchObject({ id: 'a/m-a#default', state: 'disabled' });
    const lost = await server.ask('GET', '/api/v1/requests/req_x', { headers });
    expect(lost.status).toBe(404);
    expect(lost.headers['content-type']).toContain('application/problem+json');
  });
});

const signed = createSelfSigned();

it.skipIf(signed === null)('TLS, where the configuration has a certificate (needs openssl)', async () => {
  const server = await startServer(`server: { tls: ${JSON.stringify(signed)} }`);
  const status = await new Promise((resolve, reject) => {
    const options = { port: server.port, host: '127.0.0.1', path: '/livez', rejectUnauthorized: false, agent: false };
    https.get(options, (res) => resolve(res.resume().statusCode)).on('error', reject);
  });
  expect(status).toBe(200);
});

describe('odd peers and settings', () => {
  it.each(['500ms', '2s', '5s', '10s', '15s'])('starts with headersTimeout: %s', async (headersTimeout) => {
    const server = await startServer(`server: { headersTimeout: ${headersTimeout} }`);
    expect((await server.ask('GET', '/livez')).status).toBe(200);
  });

  it('two Host headers are refused: only one of them was checked', async () => {
    const server = await startServer('', NO_KEYS);
    const client = await connectRaw(server.port);
    client.write('GET /v1/models HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n');
    expect((await client.answer()).status).toBe(400);
    client.write('GET http://evil.example/v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect((await client.answer()).status).toBe(403);
    client.destroy();
  });
});
