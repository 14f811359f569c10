import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import http2 from 'node:http2';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakeProvider, type FakeProvider } from '../../../test/kit/fake-provider.ts';
import {
  createRecordingHandler,
  type RecordedEvent,
  type RecordingHandler,
} from '../../../test/kit/recording-handler.ts';
import { createSelfSigned } from '../../../test/kit/self-signed.ts';
import type { HttpClient, HttpRequest } from '../../port/http-client.ts';
import { CLIENT_SETTINGS, type UndiciClientOptions } from './pools.ts';
import { TrackedClient } from './tracked-client.ts';
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

function create(options: UndiciClientOptions = {}): HttpClient {
  const client = createUndiciClient(options);
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

describe('settings', () => {
  it('leave every clock, retry and redirect to the engine', () => {
    expect(CLIENT_SETTINGS).toEqual({
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
      keepAliveTimeout: 60_000,
      keepAliveMaxTimeout: 60_000,
      maxHeaderSize: 65_536,
    });
  });

  it.each([false, true])('reach the client that serves (fresh: %s)', async (freshSocket) => {
    const seen: Record<string, unknown>[] = [];
    const look = (message: unknown) => {
      const { socket } = message as { socket: object };
      const client = valuesOf(socket).find(([, value]) => value instanceof TrackedClient)?.[1];
      seen.push(Object.fromEntries(valuesOf(client as object)));
    };
    diagnostics.subscribe('undici:client:sendHeaders', look);
    provider.play({ chunks: ['ok'] });
    await send(create(), { freshSocket }).handler.over;
    diagnostics.unsubscribe('undici:client:sendHeaders', look);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      'headers timeout': 0,
      'body timeout': 0,
      pipelining: 1,
      'default keep alive timeout': 60_000,
      'max keep alive timeout': 60_000,
      'max headers size': 65_536,
    });
  });
});

function valuesOf(object: object): [string, unknown][] {
  return Object.getOwnPropertySymbols(object).map((symbol) => [
    symbol.description ?? '',
    (object as Record<symbol, unknown>)[symbol],
  ]);
}

describe('pools', () => {
  it('are closed with their sockets once nobody has used them for a while', async () => {
    provider.play({ chunks: ['ok'] });
    const client = create({ poolIdleMs: 60 });
    await send(client).handler.over;
    await sleep(20);
    await vi.waitFor(() => expect(provider.openSockets()).toBe(1));
    await sleep(200);
    await vi.waitFor(() => expect(provider.openSockets()).toBe(0));
    const again = send(client);
    await again.handler.over;
    expect(again.handler.text).toBe('ok');
  });

  it('stay while a request is under way', async () => {
    provider.play({ chunks: ['a', { bytes: 'b', delayMs: 300 }] });
    const { handler } = send(create({ poolIdleMs: 40 }));
    await handler.over;
    expect(handler.text).toBe('ab');
    expect(handler.failure).toBeNull();
  });
});

describe('names and addresses', () => {
  const found: string[] = [];
  const lookup: LookupFunction = (hostname, options, callback) => {
    found.push(hostname);
    const both = [
      { address: '127.0.0.9', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    if (options.all) callback(null, both);
    else callback(null, '127.0.0.9', 4);
  };
  const originOf = (hostname: string) => `http://${hostname}:${provider.port}`;

  it('a connection is made to allowed addresses alone', async () => {
    provider.play({ chunks: ['ok'] });
    const asked: string[] = [];
    const client = create({
      lookup,
      isAddressAllowed(hostname, address) {
        asked.push(`${hostname} ${address}`);
        return address === '127.0.0.1';
      },
    });
    const { handler } = send(client, { origin: originOf('provider.test') });
    await handler.over;
    expect(handler.text).toBe('ok');
    expect(asked).toEqual(['provider.test 127.0.0.9', 'provider.test 127.0.0.1']);
    expect(provider.requests[0]?.headers['host']).toBe(`provider.test:${provider.port}`);
  });

  it.each(['provider.test', '127.0.0.1', '[::1]'])(
    'no allowed address (%s): unreachable, and nothing sent',
    async (name) => {
      const client = create({ lookup, isAddressAllowed: () => false });
      for (const freshSocket of [false, true]) {
        const { handler } = send(client, { origin: originOf(name), freshSocket });
        await handler.over;
        expect(handler.events).toEqual(['failure']);
        expect(handler.failure?.error).toBe('unreachable');
      }
      expect(provider.connections).toBe(0);
    },
  );

  it('a connection that is still being made is given up with its exchange', async () => {
    const found: (() => void)[] = [];
    const client = create({
      lookup: (_, options, callback) => {
        const address = { address: '127.0.0.1', family: 4 };
        found.push(() => (options.all ? callback(null, [address]) : callback(null, address.address, address.family)));
      },
    });
    for (const freshSocket of [false, true]) {
      const { handler, exchange } = send(client, { origin: originOf('slow.test'), freshSocket });
      await sleep(20);
      exchange.abort();
      await sleep(20);
      expect(handler.events).toEqual([]);
    }
    expect(found).toHaveLength(2);
    for (const tell of found) tell();
    await sleep(50);
    expect(provider.connections).toBe(0);
  });

  it('a connection that nobody gives up ends by itself behind the connect timeout', async () => {
    const client = create({ lookup: () => {} });
    const { handler } = send(client, { origin: originOf('slow.test'), connectTimeoutMs: 100 });
    await sleep(500);
    expect(handler.events).toEqual([]);
    await handler.over;
    expect(handler.failure?.error).toBe('unreachable');
  });
});

describe('TLS', () => {
  const pair = createSelfSigned();
  let secure: FakeProvider;
  beforeAll(async () => {
    if (pair) secure = await createFakeProvider({ tls: pair });
  });
  afterAll(async () => {
    await secure?.close();
  });

  // Without openssl there is no certificate to serve.
  it.skipIf(pair === null)('a certificate that nobody vouches for: tls, and nothing sent', async () => {
    const { handler } = send(create(), { origin: secure.origin });
    await handler.over;
    expect(handler.events).toEqual(['failure']);
    expect(handler.failure?.error).toBe('tls');
    expect(secure.requests).toHaveLength(0);
  });

  it.skipIf(pair === null)('a certificate for another name: tls', async () => {
    const lookup: LookupFunction = (_, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    const client = create({ ca: [pair?.cert ?? ''], lookup });
    const { handler } = send(client, { origin: `https://other.test:${secure.port}` });
    await handler.over;
    expect(handler.failure?.error).toBe('tls');
  });

  it.skipIf(pair === null)('a trusted certificate: served, and cut like any other', async () => {
    const client = create({ ca: [pair?.cert ?? ''] });
    secure.play({ chunks: ['ok'] }, { chunks: ['ab'], endDelayMs: 20, end: 'close' }, { status: null, end: 'hang' });
    const first = send(client, { origin: secure.origin });
    await first.handler.over;
    expect(first.handler.text).toBe('ok');
    const cut = send(client, { origin: secure.origin });
    await cut.handler.over;
    expect(cut.handler.text).toBe('ab');
    expect(cut.handler.failure).toMatchObject({ error: 'closed' });
    const hung = send(client, { origin: secure.origin });
    await vi.waitFor(() => expect(secure.requests).toHaveLength(3));
    hung.exchange.abort();
    await vi.waitFor(() => expect(secure.requests.at(-1)?.closedAt).not.toBeNull());
  });

  it.skipIf(pair === null)('HTTP/2 is not spoken, even where it is offered', async () => {
    const both = http2.createSecureServer({ ...(pair as { key: string; cert: string }), allowHTTP1: true });
    both.on('request', (request, response) => response.end(request.httpVersion));
    both.listen(0, '127.0.0.1');
    await once(both, 'listening');
    const { port } = both.address() as { port: number };
    const { handler } = send(create({ ca: [pair?.cert ?? ''] }), { origin: `https://127.0.0.1:${port}` });
    await handler.over;
    both.close();
    expect(handler.text).toBe('1.1');
  });
});

describe('memory', () => {
  it('a large body is let go once it is written, not once it is answered', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = async () => {
      for (let n = 0; n < 3; n++) {
        await sleep(20);
        collect();
      }
      return process.memoryUsage().arrayBuffers;
    };
    const size = 30_000_000;
    // A server of its own: it keeps nothing of what it gets.
    const server = createServer((socket) => {
      let got = 0;
      socket
        .on('error', () => {})
        .on('data', (bytes: Buffer) => {
          got += bytes.length;
          if (got > size) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na');
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const before = await held();
    const post = () => send(create(), { origin, body: [new Uint8Array(size), new Uint8Array(10)] });
    const { handler, exchange } = post();
    await handler.until(() => handler.text === 'a');
    expect((await held()) - before).toBeLessThan(size / 3);
    exchange.abort();
  });
});
