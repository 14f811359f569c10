import { afterEach, describe, expect, it } from 'vitest';
import { connectRaw, requestText } from '../kit/raw-client.ts';
import { AUTHORISED, answerStream, CHAT, closeServers, errorOf, sleep, startServer, until } from './server-kit.ts';

afterEach(closeServers);

describe('connections', () => {
  it('serve pipelined requests one after the other', async () => {
    const server = await startServer('');
    let running = 0;
    let most = 0;
    server.behave(async (call, downstream) => {
      most = Math.max(most, ++running);
      await answerStream([call.request.model])(call, downstream);
      running--;
    });
    const connection = await connectRaw(server.port);
    const one = (model: string) =>
      requestText('POST', '/v1/chat/completions', { body: CHAT.replace('main', model), headers: AUTHORISED });
    connection.write(one('main') + one('other') + one('gpt-main'));
    const bodies = [await connection.answer(), await connection.answer(), await connection.answer()].map((a) => a.body);
    expect(bodies).toEqual(['main', 'other', 'gpt-main']);
    expect(most).toBe(1);
    connection.destroy();
  });

  const POSTED = requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED });
  const H2C = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA' };
  const SOCKET = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const offered = (headers: Record<string, string>): string =>
    requestText('POST', '/v1/chat/completions', { body: CHAT, headers: { ...AUTHORISED, ...headers } });
  const chunked = `${requestText('POST', '/v1/chat/completions', {
    headers: { ...AUTHORISED, ...H2C, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  })}${CHAT.length.toString(16)}\r\n${CHAT}\r\n0\r\n\r\n`;
  const headLength = offered(H2C).indexOf('\r\n\r\n') + 4;

  // Node's parser loses what the same read holds behind such a request: it must not look as if it were served.
  it.each([
    ['another path', [requestText('GET', '/livez', { headers: H2C })], [200]],
    ['a socket where there is none', [requestText('GET', '/livez', { headers: SOCKET })], [200]],
    ['a socket at a path for posting', [requestText('GET', '/v1/chat/completions', { headers: SOCKET })], [405]],
    ['a socket at no path', [requestText('GET', '/v1/realtime', { headers: SOCKET })], [404]],
    ['half a handshake', [requestText('GET', '/v1/responses', { headers: { ...AUTHORISED, ...SOCKET } })], [426]],
    ['with a body', [offered(H2C)], [200]],
    ['with a body in chunks', [chunked], [200]],
    [
      'with a body that comes later',
      [offered(H2C).slice(0, headLength + 5), offered(H2C).slice(headLength + 5)],
      [200],
    ],
    ['refused before its body', [offered({ ...H2C, authorization: 'Bearer wrong' })], [401]],
    ['behind others', [POSTED + requestText('GET', '/livez', { headers: H2C })], [200, 200]],
  ])('close behind a request that offers another protocol: %s', async (_name, parts, statuses) => {
    for (const behind of [[POSTED], [POSTED.slice(0, 70), POSTED.slice(70)], ['no request at all\r\n\r\n'], []]) {
      const server = await startServer('');
      const connection = await connectRaw(server.port);
      const writes = [...parts.slice(0, -1), `${parts.at(-1)}${behind[0] ?? ''}`, ...behind.slice(1)];
      for (const [n, bytes] of writes.entries()) {
        if (n > 0) await sleep(20);
        connection.write(bytes);
      }
      for (const [n, status] of statuses.entries()) {
        const answer = await connection.answer();
        const isLast = n === statuses.length - 1;
        expect([answer.status, answer.headers['connection']]).toEqual([status, isLast ? 'close' : undefined]);
      }
      await connection.closed;
      expect(connection.received.match(/HTTP\/1\.1 /g)).toHaveLength(statuses.length);
      expect(server.calls.length).toBeLessThanOrEqual(1);
    }
  });

  it.each(['no request at all\r\n\r\n', 'GET / HTTP/1.1\r\nhost:', POSTED])(
    'answer an offer to its end, whatever comes meanwhile (%#)',
    async (bytes) => {
      const server = await startServer('server: { headersTimeout: 100ms }');
      server.behave(answerStream(['a', 'b', 'c'], 150));
      const connection = await connectRaw(server.port);
      connection.write(offered(H2C));
      await connection.answer({ bodiless: true });
      connection.write(bytes);
      await connection.closed;
      expect(connection.received).toMatch(/1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n$/);
      expect(server.calls).toHaveLength(1);
    },
  );

  it('answer those that wait where too many are sent ahead, and close', async () => {
    const server = await startServer('');
    server.behave(async (_call, downstream) => {
      await sleep(1);
      downstream.head(200, { 'content-type': 'application/json' });
      downstream.end(Buffer.from('{}'));
    });
    const one = requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED });
    for (const [sent, served] of [
      [65, 65],
      [66, 65],
      [300, 65],
      [6000, 65],
    ] as const) {
      server.calls.length = 0;
      const connection = await connectRaw(server.port);
      connection.write(one.repeat(sent));
      for (let n = 1; n <= served; n++) {
        const { status, headers } = await connection.answer();
        const isLast = sent > served && n === served;
        expect([n, status, headers['connection']]).toEqual([n, 200, isLast ? 'close' : undefined]);
      }
      if (sent > served) await connection.closed;
      expect(server.calls).toHaveLength(served);
      expect(connection.received.match(/HTTP\/1\.1 /g)).toHaveLength(served);
      connection.destroy();
    }
  });

  it.each<[string, string, frameMs: number]>([
    ['what is no request', `${requestText('GET', '/livez')}\u0000\r\n\r\n`, 10],
    ['half a request', `${requestText('GET', '/livez')}GET / HTTP/1.1\r\nhost:`, 500],
    ['thousands more', requestText('GET', '/livez').repeat(5000), 10],
  ])('answer a stream and those that wait, whatever is sent behind them (%s)', async (_what, behind, frameMs) => {
    const server = await startServer('server: { headersTimeout: 1s }');
    server.behave(answerStream(['a', 'b', 'c'], frameMs));
    const connection = await connectRaw(server.port);
    const one = requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED });
    connection.write(one + requestText('GET', '/livez').repeat(64) + behind);
    expect(await connection.answer()).toMatchObject({ status: 200, body: 'abc' });
    for (let n = 1; n <= 64; n++) {
      const { status, headers } = await connection.answer();
      expect([n, status, headers['connection']]).toEqual([n, 200, n === 64 ? 'close' : 'keep-alive']);
    }
    await connection.closed;
    expect(server.calls).toHaveLength(1);
  });

  // Who closes looks at first like who closes only the half that sends: waiting to see would keep a provider at work for
  // nobody.
  it.each<['destroy' | 'end', string]>([
    ['destroy', 'closes'],
    ['end', 'closes its half'],
  ])('drop what waits when the client leaves (%s: it %s)', async (leave) => {
    const server = await startServer('');
    let left = 0;
    server.behave(async (_call, downstream) => {
      downstream.head(200, { 'content-type': 'text/event-stream' });
      await new Promise<void>((resolve) => downstream.listen({ onDrain: () => {}, onClose: resolve }));
      left++;
    });
    const connection = await connectRaw(server.port);
    const one = requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED });
    connection.write(one + one);
    await connection.answer({ bodiless: true });
    const at = performance.now();
    connection[leave]();
    await until(() => left === 1);
    expect(performance.now() - at).toBeLessThan(100);
    await connection.closed;
    await sleep(50);
    expect(server.calls).toHaveLength(1);
    expect(server.server.inFlight()).toBe(0);
  });

  it('take to the end what was answered before the client closed its half', async () => {
    const server = await startServer('');
    const size = 8 << 20;
    server.behave((_call, downstream) => {
      downstream.head(200, { 'content-type': 'application/json' });
      downstream.end(new Uint8Array(size).fill(0x20));
    });
    const quick = await connectRaw(server.port);
    quick.write(requestText('GET', '/livez'));
    quick.end();
    expect((await quick.answer()).status).toBe(200);
    const large = await connectRaw(server.port);
    large.write(requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED }));
    await until(() => server.calls.length === 1);
    large.end();
    expect((await large.answer()).body).toHaveLength(size);
    await Promise.all([quick.closed, large.closed]);
  });

  it('are kept between answers, refusals included', async () => {
    const server = await startServer('');
    const connection = await connectRaw(server.port);
    connection.write(requestText('POST', '/v1/chat/completions', { body: CHAT }));
    expect((await connection.answer()).status).toBe(401);
    connection.write(requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED }));
    expect((await connection.answer()).status).toBe(200);
    connection.destroy();
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a broken header', 'GET /livez HTTP/1.1\r\nhost : x y\r\n : \r\n\r\n', 400],
    ['no Host', 'GET /livez HTTP/1.1\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 400],
    ['headers without end', `GET /livez HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['CONNECT', 'CONNECT example.test:443 HTTP/1.1\r\nhost: example.test\r\n\r\n', 405],
  ])('that speak nonsense are told so in JSON: %s', async (_name, bytes, status) => {
    const server = await startServer('');
    const connection = await connectRaw(server.port);
    connection.write(bytes);
    const answer = await connection.answer();
    expect(answer.status).toBe(status);
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
    expect(answer.headers['request-id']).toBe(answer.headers['x-request-id']);
    expect(errorOf(answer.body)['understudy']).toMatchObject({ request_id: answer.headers['x-request-id'] });
    connection.destroy();
  });

  it('without a whole head are ended', async () => {
    const server = await startServer('server: { headersTimeout: 200ms }');
    const connection = await connectRaw(server.port);
    connection.write('GET /livez HTTP/1.1\r\nhost');
    expect((await connection.answer()).status).toBe(408);
    await connection.closed;
  });
});
