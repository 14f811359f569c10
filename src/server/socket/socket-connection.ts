import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import type { Headers } from '../../core/model/protocol.ts';
import { describeFault } from '../../core/redact/index.ts';
import { readClientFrame } from '../../protocol/openai-responses/index.ts';
import type { Admitted } from '../admission.ts';
import type { ServerContext } from '../context.ts';
import { type RefusedInference, refuseFull } from '../hand-over.ts';
import { refuse } from '../refusal.ts';
import { createRequestId } from '../request-id.ts';
import {
  openSocketExchange,
  type Peer,
  type SocketExchange,
  serveFrame,
  turnAway,
  type Waiting,
} from './serve-frame.ts';
import type { SocketDownstream } from './socket-downstream.ts';
import { createSocketWriter, type SocketWriter } from './socket-writer.ts';
import { watchPeer } from './watch-peer.ts';

export type Opened = {
  readonly ws: WebSocket;
  readonly req: IncomingMessage;
  readonly socket: Socket;
  readonly headers: Headers;
  readonly onClose: () => void;
};

/** So many requests may wait for the one under way. */
const MAX_WAITING = 16;

/**
 * Of what it was told, a client may leave so many bytes lying while it sends what can't be taken: each refusal waits here,
 * and nothing else would end their number.
 */
const MAX_UNREAD = 1024 * 1024;

/** What a connection is closed with: RFC 6455, and the list of IANA. */
const POLICY_VIOLATION = 1008;
const SERVICE_RESTART = 1012;

/**
 * Serves the requests of one connection, one after the other: each frame is a request as HTTP has them. What is said on the
 * connection can be gone on from on it, also where the client wants nothing stored.
 */
export class SocketConnection {
  readonly #ws: WebSocket;
  readonly #context: ServerContext;
  readonly #writer: SocketWriter;
  readonly #peer: Peer;
  readonly #watch: { stop(): void };
  readonly #waiting: Waiting[] = [];
  #current: SocketDownstream | null = null;
  #isServing = false;
  /** Takes nothing new. */
  #isDraining = false;
  /** The client has left, or was sent away. */
  #isOver = false;
  #wakeFlush: (() => void) | null = null;

  constructor({ ws, req, socket, headers, onClose }: Opened, context: ServerContext) {
    this.#ws = ws;
    this.#context = context;
    this.#writer = createSocketWriter(ws, socket);
    const session = createRequestId(context.clock.now(), context.random).replace('req_', 'ws_');
    this.#peer = { context, writer: this.#writer, req, headers, session, cut: () => ws.terminate() };
    this.#watch = watchPeer(ws, this.#writer, context.clock);
    this.#writer.onEmpty = () => {
      this.#current?.onEmpty();
      this.#wakeFlush?.();
    };
    this.#listen(socket, onClose);
  }

  /** Requests under way, and those that wait for them. */
  get inFlight(): number {
    return this.#waiting.length + (this.#isServing ? 1 : 0);
  }

  /** Ends where nothing is under way, else behind what is. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    if (!this.#isServing) this.#close(SERVICE_RESTART);
  }

  destroy(): void {
    this.#ws.terminate();
  }

  #listen(socket: Socket, onClose: () => void): void {
    const ws = this.#ws;
    ws.on('message', (data: RawData, isBinary: boolean) => this.#take(asBytes(data), isBinary));
    // What breaks the rules ends the connection by itself.
    ws.on('error', () => {});
    ws.on('close', () => {
      this.#leave();
      onClose();
    });
    socket.once('end', () => this.#leave());
    // The library answers a client's goodbye with this, and tells of it only when the socket is closed: that may wait behind
    // what the client does not read any more.
    const close = ws.close.bind(ws);
    ws.close = (code, reason) => {
      this.#leave();
      close(code, reason);
    };
  }

  #close(code: number): void {
    this.#ws.close(code, code === SERVICE_RESTART ? 'the gateway is shutting down' : '');
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { admitted } of this.#waiting.splice(0)) admitted.leave();
    this.#current?.onClose();
    this.#wakeFlush?.();
    this.#watch.stop();
    this.#context.engine.forgetSession(this.#peer.session);
  }

  #take(bytes: Uint8Array, isBinary: boolean): void {
    if (this.#isOver) return;
    const exchange = openSocketExchange(this.#peer);
    const read = isBinary ? BINARY : readClientFrame(bytes);
    if (!read.ok) {
      const { message, param } = read.problem;
      this.#refuse(exchange, refuse('invalid_request_error', message, { providerParam: param }), read);
      return;
    }
    const { frame } = read;
    const admitted = this.#admit(exchange, bytes.length);
    if (admitted === null) {
      const full = this.#isDraining ? LEAVING : FULL;
      this.#refuse(exchange, refuseFull(full), frame);
      return;
    }
    this.#waiting.push({ frame, admitted, exchange });
    if (!this.#isServing) void this.#serveAll();
  }

  #refuse(exchange: SocketExchange, refused: RefusedInference, told: { readonly streamId: string | null }): void {
    if (this.#writer.queued() > MAX_UNREAD) this.destroy();
    else turnAway(this.#peer, exchange, refused, told);
  }

  /** Null: too many wait, here or over all. */
  #admit({ config }: SocketExchange, bytes: number): Admitted | null {
    if (this.#isDraining || this.#waiting.length >= MAX_WAITING) return null;
    const admitted = this.#context.admission.enter(config);
    if (admitted === null || admitted.reserve(bytes)) return admitted;
    admitted.leave();
    return null;
  }

  async #serveAll(): Promise<void> {
    this.#isServing = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#serveOne(next);
    this.#isServing = false;
    if (this.#isDraining) this.#close(SERVICE_RESTART);
  }

  async #serveOne(next: Waiting): Promise<void> {
    try {
      const mayGoOn = await serveFrame(this.#peer, next, (downstream) => {
        this.#current = downstream;
      });
      if (!mayGoOn) this.#close(POLICY_VIOLATION);
      await this.#flushed();
    } catch (fault) {
      const { name, code, at } = describeFault(fault);
      const request = next.exchange.id;
      this.#context.telemetry.notice('error', 'a request met a fault of the gateway', { request, name, code, at });
      this.destroy();
    } finally {
      this.#current = null;
      next.admitted.leave();
    }
  }

  /** Until it has left, an answer is held here; a client that takes nothing of it is cut, as over HTTP. */
  async #flushed(): Promise<void> {
    const { clock } = this.#context;
    const { clientStallMs } = this.#context.config().server;
    while (!this.#isOver && this.#writer.queued() > 0) {
      const before = this.#writer.taken();
      await new Promise<void>((resolve) => {
        const timer = clock.setTimer(clientStallMs, () => {
          if (this.#writer.taken() === before) this.destroy();
          resolve();
        });
        this.#wakeFlush = () => {
          timer.cancel();
          resolve();
        };
      });
      this.#wakeFlush = null;
    }
  }
}

const FULL = 'The gateway has as many requests as it may take: ask again in a moment.';
const LEAVING = 'The gateway is shutting down: ask again or ask another instance.';

const BINARY = { ok: false, problem: { message: 'A frame must be text.', param: null }, streamId: null } as const;

const asBytes = (data: RawData): Uint8Array =>
  Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data;
