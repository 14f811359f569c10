import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { createRequestReader, type WireRequest } from './request-reader.ts';

/** One socket write, or `times` of them, each waiting for the socket to drain. */
export type ScriptedChunk = {
  readonly bytes: string | Uint8Array;
  readonly delayMs?: number;
  readonly times?: number;
};

/**
 * What one request gets, byte for byte. Without a `content-length` of its own the body is chunked.
 *
 * `normal`: the body ends and the connection stays open. `close`: FIN before the body's proper end (for `framing: 'raw'`
 * that is the proper end). `reset`: RST. `hang`: silence.
 */
export type ScriptedAnswer = {
  /** Null: no head is sent. */
  readonly status?: number | null;
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  /** Sent as it is instead of a head made of `status` and `headers`. */
  readonly rawHead?: string;
  readonly headDelayMs?: number;
  readonly framing?: 'chunked' | 'length' | 'raw';
  readonly chunks?: readonly (string | Uint8Array | ScriptedChunk)[];
  readonly endDelayMs?: number;
  readonly end?: 'normal' | 'close' | 'reset' | 'hang';
};

export type ReceivedRequest = WireRequest & {
  /** Connections count from 1, and so do the requests on each. */
  readonly connection: number;
  readonly onConnection: number;
  /** `performance.now()` of its last byte. */
  readonly at: number;
  /** Bytes of the answer that the kernel has taken. */
  readonly answeredBytes: number;
  /** The script was played to its end. */
  readonly isAnswered: boolean;
  /** `performance.now()` when the connection ended; null while it is open. */
  readonly closedAt: number | null;
};

export interface FakeProvider {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Connections that were ever accepted, and bytes that came over all of them. */
  readonly connections: number;
  readonly receivedBytes: number;
  openSockets(): number;
  /** From now on the n-th request gets the n-th answer; the last one repeats. */
  play(...answers: readonly ScriptedAnswer[]): void;
  /** Ends every open connection. */
  drop(how: 'close' | 'reset'): void;
  close(): Promise<void>;
}

export type FakeProviderOptions = {
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Where another one was, which has closed. Default: any. */
  readonly port?: number;
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A raw TCP (or TLS) server on a free loopback port that speaks just enough HTTP/1.1 to play scripts. */
export async function createFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const state = createState();
  const serve = (socket: net.Socket) => serveSocket(state, socket);
  const server = options.tls ? tls.createServer(options.tls, serve) : net.createServer({ noDelay: true }, serve);
  server.on('tlsClientError', () => {});
  server.on('connection', (socket) => {
    state.sockets.add(socket);
    socket.on('error', () => {}).on('close', () => state.sockets.delete(socket));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    origin: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests: state.requests,
    get connections() {
      return state.connections;
    },
    get receivedBytes() {
      return state.receivedBytes;
    },
    openSockets: () => state.sockets.size,
    play(...answers) {
      state.answers = answers;
      state.played = 0;
    },
    drop(how) {
      for (const socket of state.sockets) endSocket(socket, how);
    },
    async close() {
      for (const socket of state.sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type State = ReturnType<typeof createState>;

function createState() {
  return {
    requests: [] as Writable<ReceivedRequest>[],
    sockets: new Set<net.Socket>(),
    answers: [] as readonly ScriptedAnswer[],
    played: 0,
    connections: 0,
    receivedBytes: 0,
  };
}

function serveSocket(state: State, socket: net.Socket): void {
  const connection = ++state.connections;
  const received: Writable<ReceivedRequest>[] = [];
  let playing = Promise.resolve();
  const reader = createRequestReader((request) => {
    const entry = {
      ...request,
      connection,
      onConnection: received.length + 1,
      at: performance.now(),
      answeredBytes: 0,
      isAnswered: false,
      closedAt: null,
    };
    received.push(entry);
    state.requests.push(entry);
    const answer = state.answers[Math.min(state.played++, state.answers.length - 1)] ?? {};
    playing = playing.then(() => playAnswer(socket, entry, answer)).catch(() => {});
  });
  const close = () => {
    for (const entry of received) entry.closedAt ??= performance.now();
  };
  socket
    .on('error', () => {})
    .on('end', close)
    .on('close', close);
  socket.on('data', (bytes: Buffer) => {
    state.receivedBytes += bytes.length;
    reader.push(bytes);
  });
}

async function playAnswer(socket: net.Socket, entry: Writable<ReceivedRequest>, answer: ScriptedAnswer): Promise<void> {
  const write = async (bytes: string | Uint8Array) => {
    if (socket.destroyed) throw new Error('gone');
    const size = Buffer.byteLength(bytes);
    const count = () => {
      entry.answeredBytes += size;
    };
    if (!socket.write(bytes, count)) await drained(socket);
  };
  if (answer.headDelayMs) await sleep(answer.headDelayMs);
  const chunks = (answer.chunks ?? []).map((chunk) =>
    typeof chunk === 'string' || chunk instanceof Uint8Array ? { bytes: chunk } : chunk,
  );
  const { head, isChunked } = headOf(answer, chunks);
  if (head !== null) await write(head);
  for (const chunk of chunks) await playChunk(chunk, (bytes) => write(isChunked ? frameChunk(bytes) : bytes));
  if (answer.endDelayMs) await sleep(answer.endDelayMs);
  const end = answer.end ?? 'normal';
  entry.isAnswered = end !== 'hang';
  if (end === 'hang') await gone(socket);
  else if (end !== 'normal') endSocket(socket, end);
  else if (isChunked) await write('0\r\n\r\n');
}

async function playChunk(chunk: ScriptedChunk, write: (bytes: string | Uint8Array) => Promise<void>): Promise<void> {
  if (chunk.delayMs) await sleep(chunk.delayMs);
  for (let n = chunk.times ?? 1; n > 0; n--) await write(chunk.bytes);
}

function headOf(answer: ScriptedAnswer, chunks: readonly ScriptedChunk[]) {
  const headers = Array.isArray(answer.headers) ? [...answer.headers] : Object.entries(answer.headers ?? {});
  const hasLength = headers.some(([name]) => name.toLowerCase() === 'content-length');
  const framing = answer.framing ?? (hasLength || answer.rawHead !== undefined ? 'raw' : 'chunked');
  if (answer.status === null) return { head: null, isChunked: false };
  if (framing === 'chunked') headers.push(['transfer-encoding', 'chunked']);
  if (framing === 'length') {
    const total = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk.bytes) * (chunk.times ?? 1), 0);
    headers.push(['content-length', String(total)]);
  }
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = answer.rawHead ?? `HTTP/1.1 ${answer.status ?? 200} Scripted\r\n${lines}\r\n`;
  return { head, isChunked: framing === 'chunked' };
}

function frameChunk(bytes: string | Uint8Array): Buffer {
  const body = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]);
}

function endSocket(socket: net.Socket, how: 'close' | 'reset'): void {
  if (how === 'close') socket.end();
  else if (socket instanceof tls.TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Ready for more, or gone. */
function drained(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
    if (socket.destroyed) done();
  });
}

async function gone(socket: net.Socket): Promise<void> {
  if (!socket.destroyed) await once(socket, 'close');
}
