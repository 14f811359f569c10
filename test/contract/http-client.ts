import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { HttpClient } from '../../src/port/http-client.ts';
import { useHttpBench } from '../kit/http-bench.ts';
import { abortContract, pauseContract } from './http-client-control.ts';
import { failureContract } from './http-client-failures.ts';

/** What every `HttpClient` over real sockets must do. */
export function httpClientContract(name: string, create: () => HttpClient): void {
  describe(`HttpClient: ${name}`, () => {
    const bench = useHttpBench(create);
    const { run, send, settle } = bench;

    describe('an exchange', () => {
      it('writes the request as it was given', async () => {
        const handler = await run({ headers: { 'X-One': 'Two' }, chunks: ['ab', 'cd'] });
        expect(handler.events.filter((event, n, all) => event !== all[n - 1])).toEqual(['sent', 'head', 'data', 'end']);
        expect(handler.status).toBe(200);
        expect(handler.headers?.['x-one']).toBe('Two');
        expect(handler.text).toBe('abcd');
        const [request] = bench.provider.requests;
        expect(request?.method).toBe('POST');
        expect(request?.path).toBe('/v1/chat/completions');
        expect(request?.headers).toMatchObject({ authorization: 'Bearer k', 'content-length': '7' });
        expect(request?.headers['transfer-encoding']).toBeUndefined();
        expect(request?.body.toString()).toBe('{"a":1}');
      });

      it('writes bodies of every size byte for byte', async () => {
        bench.provider.play({ chunks: ['ok'] });
        for (const size of [1, 65_535, 65_536, 65_537, 3_000_000]) {
          const whole = Buffer.alloc(size, 'abcdefg');
          const parts = [whole.subarray(0, size >> 1), whole.subarray(size >> 1, size - 1), whole.subarray(size - 1)];
          const { handler } = send({ body: parts });
          await handler.over;
          expect(handler.failure).toBeNull();
          expect(bench.provider.requests.at(-1)?.headers['content-length']).toBe(String(size));
          expect(bench.provider.requests.at(-1)?.body.equals(whole)).toBe(true);
        }
      });

      it('sends what has no body without one', async () => {
        bench.provider.play({ chunks: ['ok'] });
        for (const method of ['GET', 'DELETE', 'POST'] as const) {
          const { handler } = send({ method, body: [], path: '/v1/models?x=1' });
          await handler.over;
          expect(handler.text).toBe('ok');
          expect(bench.provider.requests.at(-1)).toMatchObject({ method, path: '/v1/models?x=1' });
          expect(bench.provider.requests.at(-1)?.headers['content-length'] ?? '0').toBe('0');
        }
      });

      it('keeps to its own framing whatever headers it is given', async () => {
        const headers = { 'Content-Length': '999', 'transfer-encoding': 'chunked', connection: 'close', expect: 'x' };
        const handler = await run({ chunks: ['ok'] }, { headers });
        expect(handler.failure).toBeNull();
        expect(bench.provider.requests[0]?.headers['content-length']).toBe('7');
        expect(bench.provider.requests[0]?.headers['transfer-encoding']).toBeUndefined();
      });

      it('calls nothing before send returns', async () => {
        bench.provider.play({ chunks: ['ok'] });
        for (const origin of [bench.provider.origin, 'no origin', bench.provider.origin]) {
          let isBack = false;
          const { handler } = send({ origin }, () => expect(isBack).toBe(true));
          isBack = true;
          await handler.over;
        }
      });

      it('joins repeated headers and lowers their names', async () => {
        const handler = await run({
          headers: [
            ['X-Many', 'a'],
            ['x-many', 'b'],
            ['Retry-After', '3'],
            ['Content-Length', '0'],
            ['__proto__', 'x'],
            ['constructor', 'y'],
          ],
        });
        expect(handler.headers).toMatchObject({ 'x-many': 'a, b', 'retry-after': '3' });
        expect(Object.keys(handler.headers ?? {})).toContain('constructor');
      });

      it.each([301, 302, 307, 308])('gives a redirect (%i) as it is', async (status) => {
        const handler = await run({ status, headers: { location: `${bench.provider.origin}/other` } });
        expect(handler.status).toBe(status);
        expect(bench.provider.requests).toHaveLength(1);
      });

      it.each([429, 500, 503, 529])('never repeats a refusal (%i)', async (status) => {
        const handler = await run({ status, headers: { 'retry-after': '0' }, chunks: ['no'] });
        expect(handler.status).toBe(status);
        await settle();
        expect(bench.provider.requests).toHaveLength(1);
      });

      it('passes over informational answers', async () => {
        const rawHead =
          'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n';
        const handler = await run({ rawHead, chunks: ['ok'] });
        expect(handler.events).toEqual(['sent', 'head', 'data', 'end']);
        expect(handler.status).toBe(200);
        expect(handler.headers?.['link']).toBeUndefined();
      });

      it('gives every chunk when it comes', async () => {
        bench.provider.play({ chunks: ['one', { bytes: 'two', delayMs: 80 }], endDelayMs: 80 });
        const { handler } = send();
        await handler.until(() => handler.text === 'one');
        expect(handler.events).not.toContain('end');
        await handler.until(() => handler.text === 'onetwo');
        expect(handler.events).not.toContain('end');
        await handler.over;
        expect(handler.events.at(-1)).toBe('end');
      });

      it('takes the close of a body without a length for its end', async () => {
        const handler = await run({
          headers: { connection: 'close' },
          framing: 'raw',
          chunks: ['whole'],
          end: 'close',
        });
        expect(handler.text).toBe('whole');
        expect(handler.events.at(-1)).toBe('end');
      });

      it('serves 200 at once, each with its own answer', async () => {
        bench.provider.play({ headDelayMs: 30, chunks: ['a', { bytes: 'b', delayMs: 5 }] });
        const sent = Array.from({ length: 200 }, (_, n) => send({ path: `/${n}` }));
        await Promise.all(sent.map(({ handler }) => handler.over));
        expect(sent.every(({ handler }) => handler.text === 'ab' && handler.failure === null)).toBe(true);
        expect(bench.provider.requests).toHaveLength(200);
        expect(new Set(bench.provider.requests.map(({ path }) => path)).size).toBe(200);
        // None waits in line behind another on one connection.
        expect(bench.provider.connections).toBe(200);
      });

      it('lives through a handler that throws', async () => {
        bench.provider.play({ chunks: ['ab'], end: 'hang' });
        const { handler } = send({}, (event) => {
          if (event === 'data') throw new Error('bug');
        });
        await handler.over;
        expect(handler.failure?.error).toBe('local');
        bench.provider.play({ chunks: ['fine'] });
        const next = send();
        await next.handler.over;
        expect(next.handler.text).toBe('fine');
      });
    });

    describe('sockets', () => {
      it('uses a socket again, one request at a time', async () => {
        bench.provider.play({ chunks: ['ok'] });
        for (let n = 0; n < 3; n++) {
          const { handler } = send();
          await handler.over;
          await settle();
        }
        expect(bench.provider.connections).toBe(1);
        expect(bench.provider.requests.map(({ onConnection }) => onConnection)).toEqual([1, 2, 3]);
      });

      it('takes a socket of its own when asked for one', async () => {
        bench.provider.play({ chunks: ['ok'] });
        await send().handler.over;
        await settle();
        await send({ freshSocket: true }).handler.over;
        expect(bench.provider.connections).toBe(2);
        await settle();
        // The one-off is gone, the pooled one is there.
        await vi.waitFor(() => expect(bench.provider.openSockets()).toBe(1));
      });

      it('notices an idle socket that the server has closed', async () => {
        bench.provider.play({ chunks: ['ok'] });
        await send().handler.over;
        await settle();
        bench.provider.drop('close');
        await settle();
        const { handler } = send();
        await handler.over;
        expect(handler.text).toBe('ok');
        expect(bench.provider.connections).toBe(2);
      });

      it.each(['close', 'reset'] as const)(
        'tells of a reused socket that ends (%s) instead of answering',
        async (end) => {
          bench.provider.play({ chunks: ['ok'] }, { status: null, end });
          await send().handler.over;
          await settle();
          const { handler } = send();
          await handler.over;
          expect(handler.events).toEqual(['sent', 'failure']);
          expect(handler.failure).toMatchObject({ reusedSocket: true });
          expect(['reset', 'closed']).toContain(handler.failure?.error);
          await settle();
          // It was sent once; whether it is sent again is not the client's to say.
          expect(bench.provider.requests).toHaveLength(2);
        },
      );

      it.each(['close', 'reset'] as const)(
        'tells of a fresh socket that ends (%s) instead of answering',
        async (end) => {
          const handler = await run({ status: null, end });
          expect(handler.events).toEqual(['sent', 'failure']);
          expect(handler.failure).toMatchObject({ reusedSocket: false });
          await settle();
          expect(bench.provider.requests).toHaveLength(1);
        },
      );

      it('calls a socket fresh again after a new connection', async () => {
        bench.provider.play({ chunks: ['ok'] }, { status: null, end: 'close' }, { status: null, end: 'close' });
        await send().handler.over;
        await settle();
        const stale = send();
        await stale.handler.over;
        expect(stale.handler.failure?.reusedSocket).toBe(true);
        const fresh = send();
        await fresh.handler.over;
        expect(fresh.handler.failure?.reusedSocket).toBe(false);
        bench.provider.play({ status: null, end: 'reset' });
        const oneOff = send({ freshSocket: true });
        await oneOff.handler.over;
        expect(oneOff.handler.failure?.reusedSocket).toBe(false);
      });
    });

    it('decodes a body and hides its coding', async () => {
      const body = gzipSync('hello');
      const handler = await run({
        headers: { 'content-encoding': 'gzip', 'content-length': `${body.length}` },
        chunks: [body],
      });
      expect(handler.text).toBe('hello');
      expect(handler.headers?.['content-encoding']).toBeUndefined();
      expect(handler.headers?.['content-length']).toBeUndefined();
    });

    describe('failures', () => {
      failureContract(bench);
    });
    describe('abort', () => {
      abortContract(bench);
    });
    describe('pause', () => {
      pauseContract(bench);
    });
  });
}
