import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectRaw, requestText } from '../kit/raw-client.ts';
import {
  AUTHORISED,
  answerStream,
  CHAT,
  closeServers,
  errorOf,
  postChat,
  sleep,
  startServer,
  until,
} from './server-kit.ts';

afterEach(closeServers);

describe('a request for a model', () => {
  it('reaches the engine with what the server knows of it', async () => {
    const server = await startServer('');
    const answer = await postChat(server, CHAT.replace('main', 'gpt-main'), {
      'x-request-id': 'mine',
      'x-understudy-failover': 'off',
      'x-understudy-timeout': '3s',
      cookie: 'sid=1',
      'openai-beta': 'x=1',
    });
    expect(answer.status).toBe(200);
    expect(server.calls[0]).toMatchObject({
      id: answer.headers['x-request-id'],
      key: 'ci',
      clientRequestId: 'mine',
      forward: { 'openai-beta': 'x=1' },
      options: { failover: false, timeoutMs: 3000 },
      model: { name: 'main' },
      request: { model: 'gpt-main' },
    });
    expect(server.calls[0]?.forward).toEqual({ 'openai-beta': 'x=1' });
    expect(answer.headers['request-id']).toBe(answer.headers['x-request-id']);
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
  });

  it.each([['/v1/chat/completions?unknown=1&unknown=2'], ['//v1/chat/completions/']])(
    'is found at %s',
    async (path) => {
      const server = await startServer('');
      expect((await server.ask('POST', path, { body: CHAT, headers: AUTHORISED })).status).toBe(200);
    },
  );

  it('streams as it comes, in chunks', async () => {
    const server = await startServer('');
    server.behave(answerStream(['data: 1\n\n', 'data: 2\n\n']));
    const answer = await postChat(server, CHAT);
    expect(answer.body).toBe('data: 1\n\ndata: 2\n\n');
    expect(answer.headers['transfer-encoding']).toBe('chunked');
  });

  it.each([
    ['no JSON', '{"model":"main"', 400, 'invalid_request_error'],
    ['an unknown model', CHAT.replace('main', 'mian'), 404, 'model_not_found'],
  ])('is refused: %s', async (_name, body, status, code) => {
    const server = await startServer('');
    const answer = await postChat(server, body);
    expect(answer.status).toBe(status);
    expect(errorOf(answer.body)).toMatchObject({ code, understudy: { component: 'client' } });
    expect(server.rejections).toMatchObject([{ id: answer.headers['x-request-id'], status, key: 'ci' }]);
    expect(server.calls).toEqual([]);
  });

  it('an unknown model comes with the nearest names', async () => {
    const server = await startServer('');
    expect(errorOf((await postChat(server, CHAT.replace('main', 'mian'))).body)['message']).toContain('main');
  });

  it.each([
    ['x-understudy-failover', 'maybe'],
    ['x-understudy-timeout', '30'],
    ['x-understudy-mid-stream', 'continue'],
  ])('a wrong %s is refused by name', async (header, value) => {
    const server = await startServer('');
    const answer = await postChat(server, CHAT, { [header]: value });
    expect(answer.status).toBe(400);
    expect(errorOf(answer.body)['message']).toContain(header);
    expect(server.rejections).toMatchObject([{ model: 'main', reason: 'invalid_request_error' }]);
  });

  it('a fault of the gateway is a 500 in JSON, and the process stays', async () => {
    const server = await startServer('');
    server.behave(() => {
      throw new Error('boom');
    });
    const answer = await postChat(server, CHAT);
    expect(answer.status).toBe(500);
    expect(errorOf(answer.body)).toMatchObject({ code: 'internal_error', understudy: { component: 'gateway' } });
    expect(answer.body).not.toContain('boom');
    expect(server.notices.join()).not.toContain('boom');
    expect(server.notices).toEqual([expect.stringMatching(/"name":"Error","code":null,"at":"at .*server-requests/)]);
    server.behave((_call, downstream) => {
      downstream.head(204, {});
      downstream.end();
    });
    expect((await postChat(server, CHAT)).status).toBe(204);
  });

  it('so is one before the request is looked at', async () => {
    const server = await startServer('');
    server.breakConfig(new Error('boom'));
    const answer = await postChat(server, CHAT);
    expect(answer.status).toBe(500);
    expect(errorOf(answer.body)).toMatchObject({ code: 'internal_error' });
    expect(server.notices.join()).toContain('"request":null');
    await until(() => server.server.inFlight() === 0);
    server.breakConfig(null);
    expect((await postChat(server, CHAT)).status).toBe(200);
  });

  it('a fault behind the head cuts the answer', async () => {
    const server = await startServer('');
    server.behave((_call, downstream) => {
      downstream.head(200, { 'content-type': 'text/event-stream' });
      downstream.write(new TextEncoder().encode('data: 1\n\n'));
      throw new Error('boom');
    });
    await expect(postChat(server, CHAT)).rejects.toThrow('ended inside');
  });
});

describe('answers', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it('leave with their head at once, before there is a body', async () => {
    const server = await startServer('');
    server.behave((_call, downstream) => {
      downstream.head(200, { 'content-type': 'text/event-stream' });
      return new Promise((resolve) => downstream.listen({ onDrain: () => {}, onClose: resolve }));
    });
    const connection = await connectRaw(server.port);
    connection.write(requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED }));
    expect((await connection.answer({ bodiless: true })).headers['transfer-encoding']).toBe('chunked');
    connection.destroy();
  });

  it('wait for clients that read slowly, and lose nothing', async () => {
    const server = await startServer('');
    const block = bytes('x'.repeat(1 << 20));
    let waits = 0;
    server.behave(async (_call, downstream) => {
      let drained = () => {};
      downstream.listen({ onDrain: () => drained(), onClose: () => {} });
      downstream.head(200, { 'content-type': 'text/event-stream' });
      for (let i = 0; i < 16; i++) {
        if (downstream.write(block)) continue;
        waits++;
        await new Promise<void>((resolve) => {
          drained = resolve;
        });
      }
      downstream.end();
    });
    const { body } = await postChat(server, CHAT);
    expect(body).toHaveLength(16 << 20);
    expect(waits).toBeGreaterThan(0);
  });

  it('that are cut never look whole, not even to HTTP/1.0', async () => {
    const server = await startServer('');
    server.behave(async (_call, downstream) => {
      downstream.head(200, { 'content-type': 'text/event-stream' });
      downstream.write(bytes('data: 1'));
      await sleep(50);
      downstream.destroy();
    });
    await expect(postChat(server, CHAT)).rejects.toThrow('ended inside');
    const old = net.connect({ port: server.port, host: '127.0.0.1' });
    const text = requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED });
    old.write(text.replace('HTTP/1.1', 'HTTP/1.0'));
    const ended = await new Promise((resolve) =>
      old
        .on('error', resolve)
        .on('end', () => resolve('a clean end'))
        .resume(),
    );
    expect(ended).toMatchObject({ code: 'ECONNRESET' });
  });

  it('are not written any more when the client has left', async () => {
    const server = await startServer('');
    let told = 0;
    server.behave(async (_call, downstream) => {
      downstream.head(200, { 'content-type': 'text/event-stream' });
      await sleep(100);
      downstream.listen({ onDrain: () => {}, onClose: () => void told++ });
      downstream.write(bytes('x'));
      downstream.end(bytes('y'));
      downstream.destroy();
      await sleep(20);
    });
    const connection = await connectRaw(server.port);
    connection.write(requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED }));
    await connection.answer({ bodiless: true });
    connection.destroy();
    await until(() => server.server.inFlight() === 0);
    expect(told).toBe(1);
  });

  it('that have ended are no client that left', async () => {
    const server = await startServer('');
    let told = 0;
    server.behave((_call, downstream) => {
      downstream.listen({ onDrain: () => {}, onClose: () => void told++ });
      downstream.head(200, { 'content-type': 'application/json' });
      downstream.end(bytes('{}'));
    });
    expect((await postChat(server, CHAT)).headers['content-length']).toBe('2');
    await until(() => server.server.inFlight() === 0);
    expect(told).toBe(0);
  });
});

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

  it('drop what waits when the client leaves', async () => {
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
    connection.destroy();
    await until(() => left === 1);
    expect(performance.now() - at).toBeLessThan(100);
    await sleep(50);
    expect(server.calls).toHaveLength(1);
    expect(server.server.inFlight()).toBe(0);
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

describe('leaving', () => {
  it('says so, closes connections behind their answers, and takes nothing new in the end', async () => {
    const server = await startServer('');
    const connection = await connectRaw(server.port);
    const kept = await connectRaw(server.port);
    connection.write(requestText('GET', '/readyz'));
    expect((await connection.answer()).status).toBe(200);
    server.server.drain();
    connection.write(requestText('GET', '/readyz'));
    const drained = await connection.answer();
    expect(drained.status).toBe(503);
    expect(drained.headers['connection']).toBe('close');
    expect(errorOf(drained.body)).toMatchObject({ code: 'gateway_overloaded' });
    expect((await postChat(server, CHAT)).status).toBe(200);
    let free = () => {};
    server.behave((_call, downstream) => {
      downstream.head(200, { 'content-type': 'text/event-stream' });
      return new Promise((resolve) => {
        free = () => {
          downstream.end();
          resolve();
        };
      });
    });
    kept.write(requestText('POST', '/v1/chat/completions', { body: CHAT, headers: AUTHORISED }));
    await until(() => server.calls.length === 2);
    server.server.close();
    await expect(connectRaw(server.port).then((c) => c.answer())).rejects.toThrow('ECONNREFUSED');
    free();
    expect((await kept.answer()).status).toBe(200);
    await kept.closed;
  });
});
