import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { connectRaw, requestText } from '../kit/raw-client.ts';
import {
  AUTHORISED,
  answerStream,
  CHAT,
  closeServers,
  errorOf,
  postChat,
  type ServerUnderTest,
  startServer,
  until,
} from './server-kit.ts';

afterEach(closeServers);

describe('bodies', () => {
  const send = async (server: ServerUnderTest, bytes: Uint8Array, headers: Record<string, string> = {}) => {
    const connection = await connectRaw(server.port);
    const head = {
      ...AUTHORISED,
      'content-type': 'application/json',
      'content-length': String(bytes.length),
      ...headers,
    };
    connection.write(requestText('POST', '/v1/chat/completions', { headers: head }));
    connection.write(bytes);
    const answer = await connection.answer();
    connection.destroy();
    return answer;
  };

  it('are unpacked', async () => {
    const server = await startServer('');
    expect((await send(server, gzipSync(CHAT), { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await send(server, zstdCompressSync(CHAT), { 'content-encoding': 'zstd' })).status).toBe(200);
    expect(Buffer.from(server.calls[1]?.request.original ?? []).toString()).toBe(CHAT);
  });

  it('are bounded, before and after unpacking', async () => {
    const server = await startServer('server: { bodyLimit: 64KiB }');
    const big = Buffer.from(JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'y'.repeat(2e6) }] }));
    for (const answer of [await send(server, big), await send(server, gzipSync(big), { 'content-encoding': 'gzip' })]) {
      expect(answer.status).toBe(413);
      expect(errorOf(answer.body)).toMatchObject({ code: 'request_too_large', understudy: { component: 'client' } });
    }
    expect(server.calls).toEqual([]);
  });

  it('are bounded where no length is told', async () => {
    const server = await startServer('server: { bodyLimit: 64KiB }');
    const connection = await connectRaw(server.port);
    const head = { ...AUTHORISED, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    connection.write(requestText('POST', '/v1/chat/completions', { headers: head }));
    connection.write(`20000\r\n${'y'.repeat(0x20000)}\r\n`);
    expect((await connection.answer()).status).toBe(413);
    connection.destroy();
  });

  it('in unknown codings are refused with the known ones', async () => {
    const server = await startServer('');
    const answer = await send(server, Buffer.from(CHAT), { 'content-encoding': 'compress' });
    expect(answer.status).toBe(415);
    expect(errorOf(answer.body)).toMatchObject({ type: 'invalid_request_error' });
    expect(errorOf(answer.body)['message']).toContain('zstd');
  });

  it('that are too slow are given up', async () => {
    const server = await startServer('server: { requestTimeout: 100ms }');
    const connection = await connectRaw(server.port);
    connection.write(
      requestText('POST', '/v1/chat/completions', { headers: { ...AUTHORISED, 'content-length': '50' } }),
    );
    connection.write('{"model":');
    expect((await connection.answer()).status).toBe(408);
    connection.destroy();
  });

  it('of clients that leave are recorded, and nothing is held', async () => {
    const server = await startServer('server: { maxInFlight: 1 }');
    const connection = await connectRaw(server.port);
    connection.write(
      requestText('POST', '/v1/chat/completions', { headers: { ...AUTHORISED, 'content-length': '50' } }),
    );
    connection.write('{"model":');
    await until(() => server.server.inFlight() === 1);
    connection.destroy();
    await until(() => server.rejections.length === 1);
    expect(server.rejections).toMatchObject([{ reason: 'client_closed', component: 'client' }]);
    await until(() => server.server.inFlight() === 0);
    expect((await postChat(server, CHAT)).status).toBe(200);
  });
});

describe('limits', () => {
  const full = { code: 'gateway_overloaded', understudy: { component: 'gateway' } };

  it('maxInFlight: before the body is read', async () => {
    const server = await startServer('server: { maxInFlight: 1 }');
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
    const first = postChat(server, CHAT);
    await until(() => server.calls.length === 1);
    const connection = await connectRaw(server.port);
    connection.write(
      requestText('POST', '/v1/chat/completions', { headers: { ...AUTHORISED, 'content-length': '50' } }),
    );
    const refused = await connection.answer();
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('1');
    expect(errorOf(refused.body)).toMatchObject(full);
    expect(server.rejections).toMatchObject([{ component: 'gateway', status: 503 }]);
    connection.destroy();
    free();
    expect((await first).status).toBe(200);
    await until(() => server.server.inFlight() === 0);
    server.behave(answerStream(['x']));
    expect((await postChat(server, CHAT)).status).toBe(200);
  });

  it('maxBuffered', async () => {
    const server = await startServer('server: { maxBuffered: 1MiB }');
    server.holds(2 << 20);
    const refused = await postChat(server, CHAT);
    expect(refused.status).toBe(503);
    expect(errorOf(refused.body)).toMatchObject(full);
    server.holds(0);
    expect((await postChat(server, CHAT)).status).toBe(200);
    const big = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'y'.repeat(2e6) }] });
    expect((await postChat(server, big)).status).toBe(503);
    expect((await postChat(server, CHAT)).status).toBe(200);
  });
});
