import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { requestText } from '../kit/raw-client.ts';
import { AUTHORISED, CHAT, closeServers, type ServerUnderTest, startServer } from './server-kit.ts';

afterEach(closeServers);

const SIZE = 24 << 20;
const STALL_MS = 400;

async function startWithLargeAnswer(): Promise<ServerUnderTest> {
  const server = await startServer(`server: { clientStall: ${STALL_MS}ms, drain: 1s }`);
  server.behave((_call, downstream) => {
    downstream.head(200, { 'content-type': 'application/json' });
    downstream.end(new Uint8Array(SIZE).fill(0x20));
  });
  return server;
}

/** A client that takes a bite every `everyMs`, or never. Resolves when its connection is gone. */
function eat(port: number, everyMs: number | null): { readonly closed: Promise<number>; taken(): number } {
  const socket = net.connect({ host: '127.0.0.1', port });
  let taken = 0;
  socket.write(
    requestText('POST', '/v1/chat/completions', {
      headers: { ...AUTHORISED, 'content-type': 'application/json' },
      body: CHAT,
    }),
  );
  socket.pause();
  const bite = (): void => {
    const bytes: Buffer | null = socket.read(2 << 20) ?? socket.read();
    taken += bytes?.length ?? 0;
  };
  const timer = everyMs === null ? null : setInterval(bite, everyMs);
  const closed = new Promise<number>((resolve) => {
    const startedAt = performance.now();
    socket.on('error', () => {});
    socket.on('close', () => resolve(performance.now() - startedAt));
  }).finally(() => timer !== null && clearInterval(timer));
  return { closed, taken: () => taken };
}

describe('an answer that was handed over whole', () => {
  it('is cut for a client that takes nothing of it', async () => {
    const server = await startWithLargeAnswer();
    const client = eat(server.port, null);
    const deadline = performance.now() + 5000;
    while (server.server.inFlight() === 0 && performance.now() < deadline) await new Promise((r) => setTimeout(r, 10));
    while (server.server.inFlight() > 0 && performance.now() < deadline) await new Promise((r) => setTimeout(r, 20));
    expect(server.server.inFlight(), 'nothing is held for it any more').toBe(0);
    expect(client.taken()).toBe(0);
  });

  it('counts as held while the client leaves it there', async () => {
    const server = await startServer(`server: { clientStall: ${STALL_MS}ms, drain: 1s }`);
    const held: (number | undefined)[] = [];
    server.behave((_call, downstream) => {
      downstream.head(200, { 'content-type': 'application/json' });
      downstream.write(new Uint8Array(SIZE));
      held.push(downstream.queued?.());
      downstream.destroy();
    });
    eat(server.port, null);
    await expect.poll(() => held.length, { timeout: 5000 }).toBe(1);
    expect(held[0]).toBeGreaterThan(SIZE / 2);
  });

  it('is left to a client that takes it slowly, whatever that lasts', async () => {
    const server = await startWithLargeAnswer();
    const client = eat(server.port, 60);
    const startedAt = performance.now();
    while (client.taken() < SIZE && performance.now() < startedAt + 15_000) await new Promise((r) => setTimeout(r, 50));
    expect(client.taken()).toBeGreaterThanOrEqual(SIZE);
    expect(performance.now() - startedAt, 'it took longer than the stall').toBeGreaterThan(STALL_MS);
  });
});

describe('a client that closes its side while it reads nothing', () => {
  it('has left: nobody waits for the stall to tell', async () => {
    const server = await startServer('server: { clientStall: 60s, drain: 1s }');
    let isLeft = false;
    server.behave((_call, downstream) => {
      downstream.listen({
        onDrain: () => {},
        onClose: () => {
          isLeft = true;
        },
      });
      downstream.head(200, { 'content-type': 'text/event-stream' });
      downstream.write(new Uint8Array(SIZE));
    });
    const socket = net.connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true });
    socket.on('error', () => {});
    socket.pause();
    const head = { ...AUTHORISED, 'content-type': 'application/json' };
    socket.write(requestText('POST', '/v1/chat/completions', { headers: head, body: CHAT }));
    await expect.poll(() => server.calls.length, { timeout: 5000 }).toBe(1);
    expect(isLeft).toBe(false);
    socket.end();
    await expect.poll(() => isLeft, { timeout: 5000 }).toBe(true);
    await expect.poll(() => server.server.inFlight(), { timeout: 5000 }).toBe(0);
    socket.destroy();
  });
});
