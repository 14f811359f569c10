import type { Dispatcher } from 'undici';
import type { Headers } from '../../core/model/protocol.ts';
import type { HttpExchange, HttpFailure, HttpHandler } from '../../port/http-client.ts';
import { type BodyDecoder, type BodySink, createBodyDecoder, type Gate, readCodings } from './body-decoder.ts';
import type { ConnectionAware, TrackedClient } from './tracked-client.ts';
import { describeTransportError, type ExchangeStage } from './transport-error.ts';

type Controller = Dispatcher.DispatchController;

/** Statuses whose answers never have a body. */
const BODILESS: readonly number[] = [204, 304];

/**
 * One request on its way through undici. It believes none of undici's habits: whatever is called, how often and when,
 * the engine's handler sees one start, one head and one end, and nothing behind an end or an abort.
 */
export class Exchange implements HttpExchange, ConnectionAware {
  #handler: HttpHandler | null;
  #onOver: (() => void) | null;
  #client: TrackedClient | null = null;
  #controller: Controller | null = null;
  #stage: ExchangeStage = 'connecting';
  #isReused = false;
  #isPaused = false;
  /** The body has no length of its own: only a clean close ends it. */
  #endsWithClose = false;
  #sink: BodySink | null = null;
  #decoder: BodyDecoder | null = null;
  /** Of one read of the socket: undici tells of each chunk of a chunked body, and whoever takes them pays once for all. */
  #pieces: Uint8Array[] = [];

  /** `onOver` is called once, when undici need not be waited for any more. */
  constructor(handler: HttpHandler, onOver: () => void) {
    this.#handler = handler;
    this.#onOver = onOver;
  }

  get isOver(): boolean {
    return this.#handler === null;
  }

  // HttpExchange

  abort(): void {
    if (this.#close()) this.#breakOff();
  }

  pause(): void {
    this.#isPaused = true;
    if (this.#decoder) this.#decoder.pause();
    else this.#controller?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#decoder) this.#decoder.resume();
    else this.#resumeSocket(() => this.#isPaused);
  }

  /** Ends it from this side, wherever it stands. */
  refuse(error: unknown): void {
    const { error: kind, detail } = describeTransportError(error, this.#stage);
    this.#reject(kind, detail);
  }

  // undici's side

  onAssigned(client: TrackedClient): void {
    this.#client = client;
  }

  onRequestStart(controller: Controller): void {
    // One exchange is one send: what a library would send again is over.
    if (this.#controller !== null) this.#fail({ error: 'closed', detail: 'connection lost before the answer' });
    this.#controller = controller;
    if (this.isOver) {
      controller.abort(new Error('aborted'));
      return;
    }
    this.#stage = 'sent';
    this.#isReused = this.#client?.beginRequest() ?? false;
    this.#tell((handler) => handler.onSent());
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    fields: Record<string, string | string[] | undefined>,
  ): void {
    if (this.isOver || status < 200 || this.#stage === 'body') return;
    this.#stage = 'body';
    const headers = joinHeaders(fields);
    const codings = BODILESS.includes(status) ? [] : readCodings(headers['content-encoding']);
    this.#endsWithClose =
      !BODILESS.includes(status) &&
      headers['content-length'] === undefined &&
      !/chunked/i.test(headers['transfer-encoding'] ?? '');
    this.#sink = this.#createSink();
    if (codings !== null && codings.length > 0) {
      delete headers['content-encoding'];
      delete headers['content-length'];
      this.#decoder = createBodyDecoder(codings, this.#socketGate(), this.#sink);
      this.#sink = this.#decoder;
    }
    if (this.#isPaused) this.pause();
    this.#tell((handler) => handler.onHead(status, headers));
    if (codings === null) this.#reject('bad_encoding', 'unknown content coding');
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    if (!this.isOver) this.#sink?.data(chunk);
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    const error = this.#endsWithClose ? (this.#client?.socketError ?? null) : null;
    if (error !== null) this.#sink?.fail(describeTransportError(error, this.#stage));
    else this.#sink?.end();
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    if (this.isOver) return;
    const described = describeTransportError(error, this.#stage);
    // The parser's word for a cut hides how the socket was cut.
    const broken = described.error === 'closed' ? this.#client?.socketError : null;
    const failure = broken ? describeTransportError(broken, this.#stage) : described;
    if (this.#sink) this.#sink.fail(failure);
    else this.#fail(failure);
  }

  // Inside

  #createSink(): BodySink {
    return {
      data: (chunk) => {
        // A microtask comes when all of the read is parsed, and before anything else is read.
        if (this.#pieces.push(chunk) === 1) queueMicrotask(() => this.#flush());
      },
      end: () => {
        this.#flush();
        this.#tellLast((handler) => handler.onEnd());
      },
      fail: (failure) => {
        this.#flush();
        const isOwn = failure.error === 'bad_encoding';
        this.#fail(failure);
        if (isOwn) this.#breakOff();
      },
    };
  }

  #flush(): void {
    const [first, ...others] = this.#pieces;
    if (first === undefined) return;
    this.#pieces = [];
    this.#tell((handler) => handler.onData(others.length === 0 ? first : Buffer.concat([first, ...others])));
  }

  #socketGate(): Gate {
    let isPaused = false;
    return {
      pause: () => {
        isPaused = true;
        this.#controller?.pause();
      },
      resume: () => {
        isPaused = false;
        this.#resumeSocket(() => isPaused);
      },
    };
  }

  /**
   * undici's parser must not be entered from inside a callback of another one's: a microtask runs outside of them all.
   */
  #resumeSocket(isPausedAgain: () => boolean): void {
    queueMicrotask(() => {
      if (!isPausedAgain() && !this.isOver) this.#controller?.resume();
    });
  }

  #reject(error: HttpFailure['error'], detail: string): void {
    this.#fail({ error, detail });
    this.#breakOff();
  }

  #fail(failure: Pick<HttpFailure, 'error' | 'detail'>): void {
    this.#tellLast((handler) => handler.onFailure({ ...failure, reusedSocket: this.#isReused }));
  }

  /** An exception of the handler must not reach undici's parser: it ends this exchange and no other. */
  #tell(call: (handler: HttpHandler) => void): void {
    if (this.#handler === null) return;
    try {
      call(this.#handler);
    } catch (error) {
      this.#reject(
        'local',
        `handler failed: ${error instanceof Error ? error.message : 'unknown error'}`.slice(0, 300),
      );
    }
  }

  /** Nothing is left here that an exception could end; it must be seen, but not by undici's parser. */
  #tellLast(call: (handler: HttpHandler) => void): void {
    const handler = this.#close();
    if (handler === null) return;
    try {
      call(handler);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** Gives the handler out for its last call, once. */
  #close(): HttpHandler | null {
    const handler = this.#handler;
    const onOver = this.#onOver;
    this.#handler = null;
    this.#onOver = null;
    this.#pieces = [];
    this.#decoder?.destroy();
    onOver?.();
    return handler;
  }

  /** Ends the socket, connected or not. A request that is still queued is stopped when it would start. */
  #breakOff(): void {
    if (this.#controller) this.#controller.abort(new Error('aborted'));
    else this.#client?.cancelConnect();
  }
}

function joinHeaders(fields: Record<string, string | string[] | undefined>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return headers satisfies Headers;
}
