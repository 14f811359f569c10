import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import type { HttpRequest } from '../../src/port/http-client.ts';
import { createFakeProvider, type ScriptedAnswer } from '../kit/fake-provider.ts';
import type { HttpBench } from '../kit/http-bench.ts';

/** How an exchange fails: once, last, and with a word for what happened. */
export function failureContract(bench: HttpBench): void {
  const { run, send, settle } = bench;
  const failureOf = async (answer: ScriptedAnswer) => {
    const handler = await run(answer);
    expect(handler.events.filter((event) => event === 'failure')).toHaveLength(1);
    expect(handler.events.at(-1)).toBe('failure');
    expect(handler.events).not.toContain('end');
    expect(handler.failure?.detail).not.toBe('');
    return handler;
  };

  it('a port where nobody listens: refused, and nothing sent', async () => {
    const gone = await createFakeProvider();
    await gone.close();
    const { handler } = send({ origin: gone.origin });
    await handler.over;
    expect(handler.events).toEqual(['failure']);
    expect(handler.failure).toMatchObject({ error: 'refused', reusedSocket: false });
  });

  it('a name that does not resolve: dns', async () => {
    const { handler } = send({ origin: 'http://no-such-host.invalid' });
    await handler.over;
    expect(handler.events).toEqual(['failure']);
    expect(handler.failure?.error).toBe('dns');
  });

  it('TLS where there is none: tls, and nothing sent', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const { handler } = send({ origin: `https://127.0.0.1:${port}` });
    await handler.over;
    plain.close();
    expect(handler.events).toEqual(['failure']);
    expect(handler.failure?.error).toBe('tls');
  });

  it.each([
    ['a header with a line end', { headers: { authorization: 'Bearer a\nb' } }],
    ['a header name that is none', { headers: { 'a b': 'c' } }],
    ['a path with a space', { path: '/a b' }],
    ['an origin that is none', { origin: 'nonsense' }],
  ])('a request that can not be written (%s): bad_http, and nothing sent', async (_, change: Partial<HttpRequest>) => {
    const { handler } = send(change);
    await handler.over;
    expect(handler.events).toEqual(['failure']);
    expect(handler.failure?.error).toBe('bad_http');
    expect(handler.failure?.detail).not.toContain('Bearer');
    expect(bench.provider.requests).toHaveLength(0);
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a broken header', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    ['more headers than anyone needs', `HTTP/1.1 200 OK\r\n${`x-filler: ${'y'.repeat(1000)}\r\n`.repeat(100)}\r\n`],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
  ])('a head that is %s: bad_http', async (_, rawHead) => {
    const handler = await failureOf({ rawHead, end: 'hang' });
    expect(handler.events).toEqual(['sent', 'failure']);
    expect(handler.failure?.error).toBe('bad_http');
  });

  it('a chunk size that is none: bad_http behind the head', async () => {
    const rawHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    const handler = await failureOf({
      rawHead,
      chunks: ['2\r\nok\r\n', { bytes: 'zz\r\n', delayMs: 30 }],
      end: 'hang',
    });
    expect(handler.events).toEqual(['sent', 'head', 'data', 'failure']);
    expect(handler.failure?.error).toBe('bad_http');
  });

  it('an answer that comes before the request is written whole is an answer', async () => {
    const busy = createServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          socket.pause();
          socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno');
        });
      ends.push(() => socket.destroy());
    }).listen(0, '127.0.0.1');
    const ends: (() => void)[] = [];
    await once(busy, 'listening');
    const { port } = busy.address() as AddressInfo;
    const { handler } = send({ origin: `http://127.0.0.1:${port}`, body: [Buffer.alloc(20_000_000)] });
    await handler.over;
    for (const end of ends) end();
    busy.close();
    expect(handler.events).toEqual(['sent', 'head', 'data', 'end']);
    expect(handler.status).toBe(413);
  });

  const cuts: [string, ScriptedAnswer][] = [
    ['chunked, keep-alive', {}],
    ['chunked, close', { headers: { connection: 'close' } }],
    ['by length, keep-alive', { headers: { 'content-length': '100' } }],
    ['by length, close', { headers: { 'content-length': '100', connection: 'close' } }],
  ];
  it.each(cuts)('a body (%s) that stops with FIN: closed', async (_, answer) => {
    const handler = await failureOf({ ...answer, chunks: ['partial'], endDelayMs: 30, end: 'close' });
    expect(handler.text).toBe('partial');
    expect(handler.failure?.error).toBe('closed');
  });
  it.each([
    ...cuts,
    ['by close alone', { headers: { connection: 'close' }, framing: 'raw' }] as [string, ScriptedAnswer],
  ])('a body (%s) that stops with RST: reset', async (_, answer) => {
    const handler = await failureOf({ ...answer, chunks: ['partial'], endDelayMs: 30, end: 'reset' });
    expect(handler.text).toBe('partial');
    expect(handler.failure?.error).toBe('reset');
  });
  it.each(cuts)('a body (%s) that stops right behind the head', async (_, answer) => {
    const handler = await failureOf({ ...answer, chunks: [], endDelayMs: 30, end: 'close' });
    expect(handler.events).toEqual(['sent', 'head', 'failure']);
  });

  it('everything that is under way when the client closes, and everything after', async () => {
    bench.provider.play({ chunks: ['ab'], end: 'hang' });
    const { handler } = send();
    const waiting = send({ freshSocket: true });
    await handler.until(() => handler.text === 'ab');
    await bench.client.close();
    await Promise.all([handler.over, waiting.handler.over]);
    expect(handler.failure?.error).toBe('local');
    const late = send();
    await late.handler.over;
    expect(late.handler.events).toEqual(['failure']);
    expect(late.handler.failure?.error).toBe('local');
    await settle();
    await vi.waitFor(() => expect(bench.provider.openSockets()).toBe(0));
  });
}
