import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeProvider, type FakeProvider } from '../../../test/kit/fake-provider.ts';
import {
  createRecordingHandler,
  type RecordedEvent,
  type RecordingHandler,
} from '../../../test/kit/recording-handler.ts';
import type { HttpClient, HttpRequest } from '../../port/http-client.ts';
import { createUndiciClient } from './undici-client.ts';

let provider: FakeProvider;
const clients: HttpClient[] = [];

beforeEach(async () => {
  provider = await createFakeProvider();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await provider.close();
});

function create(): HttpClient {
  const client = createUndiciClient();
  clients.push(client);
  return client;
}

function send(
  client: HttpClient,
  change: Partial<HttpRequest> = {},
  react?: (event: RecordedEvent, handler: RecordingHandler) => void,
) {
  const handler = createRecordingHandler(react);
  const exchange = client.send(
    {
      origin: provider.origin,
      path: '/x',
      method: 'POST',
      headers: {},
      body: [Buffer.from('{}')],
      connectTimeoutMs: 1_000,
      freshSocket: false,
      ...change,
    },
    handler,
  );
  return { handler, exchange };
}

describe('codings over a socket', () => {
  const gzipHeaders = { 'content-encoding': 'gzip', 'content-type': 'text/event-stream' };

  it('an event stream comes out event by event', async () => {
    const encoder = zlib.createGzip();
    const made: Buffer[] = [];
    encoder.on('data', (bytes) => made.push(bytes));
    const take = () => Buffer.concat(made.splice(0));
    const flush = async (text: string) => {
      encoder.write(text);
      await new Promise<void>((resolve) => encoder.flush(() => resolve()));
      return take();
    };
    const [one, two] = [await flush('data: 1\n\n'), await flush('data: 2\n\n')];
    encoder.end();
    await once(encoder, 'end');
    const rest = take();
    provider.play({
      headers: gzipHeaders,
      chunks: [one, { bytes: two, delayMs: 100 }, { bytes: rest, delayMs: 50 }],
      endDelayMs: 50,
    });
    const { handler } = send(create());
    await handler.until(() => handler.text === 'data: 1\n\n');
    expect(handler.headers).toEqual({ 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
    expect(handler.events).not.toContain('end');
    await handler.over;
    expect(handler.text).toBe('data: 1\n\ndata: 2\n\n');
    expect(handler.events.at(-1)).toBe('end');
  });

  it('a cut is a cut, behind all that could be read', async () => {
    const half = zlib.gzipSync('data: 1\n\n'.repeat(1000)).subarray(0, -10);
    provider.play({ headers: gzipHeaders, chunks: [half], endDelayMs: 20, end: 'reset' });
    const { handler } = send(create());
    await handler.over;
    expect(handler.failure?.error).toBe('reset');
    expect(handler.text.startsWith('data: 1\n\n')).toBe(true);
  });

  it.each([
    ['a body that ends too soon', { ...gzipHeaders }, zlib.gzipSync('hello').subarray(0, -1), 'hang' as const],
    ['a body that is not what it says', { ...gzipHeaders }, Buffer.from('{"error":1}'), 'hang' as const],
    ['a coding that nobody knows', { 'content-encoding': 'rot13' }, Buffer.from('uryyb'), 'hang' as const],
  ])('%s: bad_encoding, told with the head, and the socket is let go', async (what, headers, body, end) => {
    const isShort = what.includes('too soon');
    provider.play({ status: 429, headers, chunks: [body], ...(isShort ? {} : { end }) });
    const { handler } = send(create());
    await handler.over;
    expect(handler.status).toBe(429);
    expect(handler.failure?.error).toBe('bad_encoding');
    expect(handler.events).not.toContain('data'.repeat(isShort ? 2 : 1));
    await sleep(50);
    if (!isShort) await vi.waitFor(() => expect(provider.openSockets()).toBe(0));
  });

  it('an answer without a body needs no decoding', async () => {
    provider.play({ status: 204, framing: 'raw', headers: { 'content-encoding': 'gzip' } });
    const { handler } = send(create());
    await handler.over;
    expect(handler.events).toEqual(['sent', 'head', 'end']);
    provider.play({ headers: { 'content-encoding': 'br', 'content-length': '0' } });
    const empty = send(create());
    await empty.handler.over;
    expect(empty.handler.events).toEqual(['sent', 'head', 'end']);
  });

  it('a reader that pauses stops decoder and provider, however much would come out', async () => {
    const unpacked = 256 * 1024 * 1024;
    const bomb = zlib.gzipSync(Buffer.alloc(unpacked), { level: 1 });
    provider.play({ headers: { 'content-encoding': 'gzip', 'content-length': `${bomb.length}` }, chunks: cut(bomb) });
    let size = 0;
    const count = (chunk: Uint8Array) => {
      size += chunk.length;
    };
    const handler = createRecordingHandler();
    const exchange = create().send(
      {
        origin: provider.origin,
        path: '/',
        method: 'GET',
        headers: {},
        body: [],
        connectTimeoutMs: 500,
        freshSocket: false,
      },
      { ...handler, onHead: (...head) => handler.onHead(...head), onData: count },
    );
    await handler.until(() => handler.events.includes('head'));
    exchange.pause();
    await sleep(100);
    const [had, before] = [size, process.memoryUsage().arrayBuffers];
    await sleep(200);
    expect(size).toBe(had);
    expect(size).toBeLessThan(unpacked / 4);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
    exchange.resume();
    await handler.over;
    expect(handler.failure).toBeNull();
    expect(size).toBe(unpacked);
  });

  it('abort ends the decoder too', async () => {
    provider.play({
      headers: gzipHeaders,
      chunks: [{ bytes: zlib.gzipSync('x'.repeat(1_000_000)), times: 50 }],
      end: 'hang',
    });
    const { handler, exchange } = send(create(), {}, (event) => {
      if (event === 'data') exchange.abort();
    });
    await handler.until(() => handler.events.includes('data'));
    await sleep(80);
    expect(handler.events.filter((event) => event === 'data')).toHaveLength(1);
    expect(handler.events).not.toContain('failure');
    await vi.waitFor(() => expect(provider.openSockets()).toBe(0));
  });
});

function cut(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, n) =>
    bytes.subarray(n * 16_384, (n + 1) * 16_384),
  );
}
