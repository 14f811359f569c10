import type { TransportError } from '../../core/failure/signal.ts';
import type { Headers } from '../../core/model/protocol.ts';
import type { Clock, Timer } from '../../port/clock.ts';
import type { HttpClient, HttpExchange, HttpHandler, HttpRequest } from '../../port/http-client.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../protocol/json/index.ts';

/** A part of a body, `ms` after what came before it, `times` times. */
export type Piece =
  | string
  | Uint8Array
  | { readonly bytes: string | Uint8Array; readonly ms?: number; readonly times?: number };

/** What a provider does with one request. All moments are counted from the step before; `null` means never. */
export type Play = {
  /** Until the socket is connected and the request on its way. */
  readonly connectMs?: number | null;
  /** The socket had served before. A request that asks for a fresh one gets a fresh one. */
  readonly reused?: boolean;
  /** Fails before the request is sent. */
  readonly refuse?: TransportError;
  readonly headMs?: number | null;
  /** Null: no head is sent; `end` comes in its place. */
  readonly status?: number | null;
  readonly headers?: Headers;
  readonly body?: Iterable<Piece>;
  /** How the body ends; `hang`: not at all. */
  readonly end?: 'clean' | 'hang' | TransportError;
  readonly endMs?: number;
  /** Pieces that still arrive after a pause, since they were read already. */
  readonly readAhead?: number;
  /** Called when nothing can come any more, whoever ended it. */
  readonly onOver?: () => void;
  /** `send` itself throws. */
  readonly crash?: Error;
};

/** One physical send, as the provider saw it. */
export type Send = {
  readonly request: HttpRequest;
  readonly at: number;
  readonly body: string;
  /** When the head was handed over; null: not yet. */
  headAt: number | null;
  /** Moment at which the gateway cut it off; null when it did not. */
  abortedAt: number | null;
  /** When nothing could come any more, whoever ended it. */
  overAt: number | null;
  isOver: boolean;
  isPaused: boolean;
  /** Bytes of the body that were handed over. */
  delivered: number;
};

export type Network = HttpClient & {
  /** Every send in order, those that `crash` too. */
  readonly sends: readonly Send[];
  /** What handlers threw: an engine must not let anything out here. */
  readonly thrown: readonly unknown[];
  /** Exchanges that have neither ended nor been cut off. */
  open(): number;
};

type Step = { readonly ms: number | null; readonly run: () => void };

/** An `HttpClient` over scripts and a clock: `next` says what becomes of each request. */
export function createNetwork(clock: Clock, next: (request: HttpRequest) => Play): Network {
  const sends: Send[] = [];
  const thrown: unknown[] = [];
  let open = 0;
  return {
    sends,
    thrown,
    open: () => open,
    send(request, handler) {
      const play = next(request);
      const send = createSend(request, clock.now(), play.crash !== undefined);
      sends.push(send);
      if (play.crash !== undefined) throw play.crash;
      open += 1;
      const onOver = (): void => {
        send.isOver = true;
        send.overAt = clock.now();
        open -= 1;
        play.onOver?.();
      };
      return runPlay(clock, play, send, handler, { onOver, onThrown: (error) => void thrown.push(error) });
    },
    close: () => Promise.resolve(),
  };
}

/** Sends are kept for all of a run. Made out here, none of them keeps the play that it was answered with. */
const createSend = (request: HttpRequest, at: number, isOver: boolean): Send => ({
  request,
  at,
  get body() {
    return decodeUtf8(concatBytes(request.body));
  },
  headAt: null,
  abortedAt: null,
  overAt: isOver ? at : null,
  isOver,
  isPaused: false,
  delivered: 0,
});

function runPlay(
  clock: Clock,
  play: Play,
  send: Send,
  handler: HttpHandler,
  { onOver, onThrown }: { readonly onOver: () => void; readonly onThrown: (error: unknown) => void },
): HttpExchange {
  const isReused = play.reused === true && !send.request.freshSocket;
  let timer: Timer | null = null;
  let parked: Step | null = null;
  let readAhead = play.readAhead ?? 0;

  const call = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      onThrown(error);
    }
  };
  const perform = (step: Step): void => {
    if (send.isOver) return;
    if (send.isPaused && readAhead-- <= 0) {
      parked = step;
      return;
    }
    call(step.run);
    advance();
  };
  const advance = (): void => {
    if (send.isOver) return;
    const step = steps.next().value;
    if (step === undefined || step.ms === null) return;
    timer = clock.setTimer(step.ms, () => perform(step));
  };
  const last = (run: () => void) => (): void => {
    onOver();
    run();
  };
  const steps = stepsOf(play, {
    sent: () => handler.onSent(),
    head(status, headers) {
      send.headAt = clock.now();
      handler.onHead(status, headers);
    },
    data(bytes) {
      send.delivered += bytes.length;
      handler.onData(bytes);
    },
    end: last(() => handler.onEnd()),
    fail: (error) => last(() => handler.onFailure({ error, detail: `scripted ${error}`, reusedSocket: isReused })),
  });
  advance();

  return {
    abort() {
      if (send.isOver) return;
      onOver();
      send.abortedAt = clock.now();
      timer?.cancel();
    },
    pause() {
      send.isPaused = true;
      readAhead = play.readAhead ?? 0;
    },
    resume() {
      send.isPaused = false;
      const step = parked;
      if (step === null) return;
      parked = null;
      queueMicrotask(() => perform(step));
    },
  };
}

type Acts = {
  readonly sent: () => void;
  readonly head: (status: number, headers: Headers) => void;
  readonly data: (bytes: Uint8Array) => void;
  readonly end: () => void;
  readonly fail: (error: TransportError) => () => void;
};

function* stepsOf(play: Play, acts: Acts): Generator<Step, undefined> {
  const { connectMs = 0, refuse, headMs = 0, status = 200, headers, body = [], end = 'clean', endMs = 0 } = play;
  if (refuse !== undefined) {
    yield { ms: connectMs, run: acts.fail(refuse) };
    return undefined;
  }
  yield { ms: connectMs, run: acts.sent };
  if (status !== null) {
    yield { ms: headMs, run: () => acts.head(status, headers ?? { 'content-type': 'text/event-stream' }) };
    for (const piece of body) yield* piecesOf(piece, acts);
  }
  const ms = end === 'hang' ? null : endMs;
  yield { ms, run: end === 'clean' || end === 'hang' ? acts.end : acts.fail(end) };
  return undefined;
}

function* piecesOf(piece: Piece, acts: Acts): Generator<Step, undefined> {
  const { bytes, ms = 0, times = 1 } = typeof piece === 'object' && 'bytes' in piece ? piece : { bytes: piece };
  for (let n = 0; n < times; n++) {
    yield { ms, run: () => acts.data(typeof bytes === 'string' ? encodeUtf8(bytes) : bytes) };
  }
  return undefined;
}
