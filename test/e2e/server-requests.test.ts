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
