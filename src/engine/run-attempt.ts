import { type AttemptMoments, nextExpiry } from '../core/attempt/clocks.ts';
import type { Outcome, Phase } from '../core/failure/outcome.ts';
import type { FailureSignal, ProviderError } from '../core/failure/signal.ts';
import type { CanonicalEvent, RelayEdit } from '../core/model/event.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { ModelSettings } from '../core/model/settings.ts';
import type { Usage } from '../core/model/usage.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { Clock } from '../port/clock.ts';
import type { HttpClient, HttpExchange, HttpFailure, HttpHandler, HttpRequest } from '../port/http-client.ts';
import { type AnswerReader, type AnswerSink, chooseReader, type ReaderEnd, type ReaderInput } from './reader/index.ts';

/** How an attempt ended. `stopped`: from outside (client, deadline, drain); `why` is the caller's word. */
export type AttemptEnd =
  | { readonly type: 'complete'; readonly outcome: Outcome }
  | { readonly type: 'failed' | 'interrupted'; readonly signal: FailureSignal; readonly limitMs: number | null }
  | { readonly type: 'stale_socket' }
  | { readonly type: 'stopped'; readonly why: string };

export type AttemptInput = {
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly route: Route;
  readonly request: HttpRequest;
  readonly settings: ModelSettings;
  readonly reader: Omit<ReaderInput, 'status' | 'headers'>;
  /** May a request whose reused socket died be replayed? */
  readonly isReplayable: boolean;
  readonly onHead: (status: number, headers: Headers) => void;
  /** Something moved: look at the clocks again. */
  readonly onProgress: () => void;
};

/** How long a socket may take to end its body behind the answer's own end, before it is given up. */
const LINGER_MS = 1000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Cause = FailureSignal['cause'];

const NO_EDITS: ReadonlySet<RelayEdit> = new Set();
const CUT: Cause = { kind: 'fault', fault: 'incomplete' };
const EMPTY: Cause = { kind: 'fault', fault: 'empty' };

/** Sends one request and reads its answer. `done` resolves exactly once, whatever sees the end first. */
export class RunningAttempt {
  readonly done: Promise<AttemptEnd>;
  readonly #input: AttemptInput;
  readonly #exchange: HttpExchange;
  readonly #moments: Mutable<AttemptMoments>;
  /** Chunks before the first byte that tells what the body is. */
  readonly #blank: Uint8Array[] = [];
  #resolve: (end: AttemptEnd) => void = () => {};
  #phase: Phase = 'connecting';
  #status: number | null = null;
  #headers: Headers = {};
  #reader: AnswerReader | null = null;
  /** Of an error event in a stream. */
  #error: ProviderError | null = null;
  #anyByte = false;
  #isOver = false;
  #pausedAt: number | null = null;

  constructor(input: AttemptInput) {
    this.#input = input;
    this.done = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const startedAt = input.clock.now();
    this.#moments = { startedAt, sentAt: null, headAt: null, lastByteAt: null, committedAt: null, lastOutputAt: null };
    this.#exchange = input.http.send(input.request, this.#handler());
  }

  get phase(): Phase {
    return this.#phase;
  }

  get heldBytes(): number {
    return this.#reader?.heldBytes ?? 0;
  }

  /** The client holds a terminal already: its leaving is a success, with this outcome. */
  get terminal(): Outcome | null {
    return this.#reader?.terminal ?? null;
  }

  get edits(): ReadonlySet<RelayEdit> {
    return this.#reader?.edits ?? NO_EDITS;
  }

  get lastByteAt(): number {
    const { startedAt, sentAt, headAt, lastByteAt } = this.#moments;
    return lastByteAt ?? headAt ?? sentAt ?? startedAt;
  }

  usage(): Usage | null {
    return this.#reader?.usage() ?? null;
  }

  /** The moment at which a clock runs out; null while all stand still. */
  expiresAt(): number | null {
    return this.#isOver || this.#pausedAt !== null ? null : this.#nextExpiry().at;
  }

  /** Ends the attempt if a clock has run out. */
  checkClocks(now: number): void {
    if (this.#isOver || this.#pausedAt !== null) return;
    const { clock, at, limitMs } = this.#nextExpiry();
    if (now < at) return;
    const cause: Cause = { kind: 'clock', clock, limitMs };
    if (this.#reader === null) this.#fail(cause, true, limitMs);
    else this.#close(this.#reader.clock(), true, cause, limitMs);
  }

  /** The client can't keep up: the provider waits, and no clock of its runs. */
  pause(now: number): void {
    if (this.#isOver || this.#pausedAt !== null) return;
    this.#pausedAt = now;
    this.#exchange.pause();
  }

  resume(now: number): void {
    if (this.#pausedAt === null) return;
    shift(this.#moments, now - this.#pausedAt);
    this.#pausedAt = null;
    if (!this.#isOver) this.#exchange.resume();
  }

  stop(why: string): void {
    this.#finish({ type: 'stopped', why }, true);
  }

  #nextExpiry(): ReturnType<typeof nextExpiry> {
    return nextExpiry(this.#moments, this.#input.settings.timeouts, this.#input.reader.wantsStream);
  }

  #handler(): HttpHandler {
    return {
      onSent: () => {
        this.#moments.sentAt = this.#input.clock.now();
        this.#phase = 'sent';
        this.#input.onProgress();
      },
      onHead: (status, headers) => this.#onHead(status, headers),
      onData: (chunk) => this.#onData(chunk),
      onEnd: () => {
        if (this.#reader === null) this.#fail(EMPTY, false);
        else if (!this.#isOver) this.#close(this.#reader.end(true), false, CUT);
      },
      onFailure: (failure) => this.#onFailure(failure),
    };
  }

  #onHead(status: number, headers: Headers): void {
    if (this.#isOver) return;
    this.#anyByte = true;
    this.#status = status;
    this.#headers = headers;
    this.#phase = 'preflight';
    this.#moments.headAt = this.#input.clock.now();
    this.#input.onHead(status, headers);
    this.#reader = chooseReader(this.#readerInput(), null);
    this.#input.onProgress();
  }

  #onData(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#moments.lastByteAt = this.#input.clock.now();
    if (this.#reader !== null) this.#push(this.#reader, chunk);
    else {
      this.#blank.push(chunk);
      this.#reader = chooseReader(this.#readerInput(), chunk);
      if (this.#reader !== null) for (const piece of this.#blank.splice(0)) this.#push(this.#reader, piece);
    }
    this.#input.onProgress();
  }

  #push(reader: AnswerReader, chunk: Uint8Array): void {
    if (this.#isOver) return;
    const end = reader.push(chunk);
    if (end !== null) this.#close(end, true, CUT);
  }

  #onFailure({ error, detail, reusedSocket }: HttpFailure): void {
    if (this.#isOver) return;
    const isSocketLoss = error === 'reset' || error === 'closed';
    const isStale = reusedSocket && isSocketLoss && this.#status === null && this.#phase === 'sent';
    const cause: Cause = { kind: 'transport', error, detail };
    if (isStale && this.#input.isReplayable) this.#finish({ type: 'stale_socket' }, false);
    else if (this.#reader === null) this.#fail(cause, false);
    else this.#close(this.#reader.end(false), false, cause);
  }

  /** `outside`: the cause that only the caller knows, where the reader just heard of a cut or a clock. */
  #close(end: ReaderEnd, isBodyOpen: boolean, outside: Cause, limitMs: number | null = null): void {
    if (end.type === 'complete') {
      this.#finish({ type: 'complete', outcome: end.outcome }, isBodyOpen);
      return;
    }
    const { cause } = end;
    if (cause.kind === 'error_event') this.#error = cause.error;
    if (cause.kind === 'outside') this.#fail(outside, isBodyOpen, limitMs);
    else this.#fail(cause.kind === 'error_event' ? { kind: 'error_event' } : cause, isBodyOpen, null);
  }

  #fail(cause: Cause, isBodyOpen: boolean, limitMs: number | null = null): void {
    const type = this.#moments.committedAt === null ? 'failed' : 'interrupted';
    this.#finish({ type, signal: this.#signal(cause), limitMs }, isBodyOpen);
  }

  #finish(end: AttemptEnd, isBodyOpen: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (isBodyOpen) this.#letGo(end.type === 'complete');
    this.#resolve(end);
  }

  /** Behind a whole answer the socket gets a moment to end its body, so that it can be used again; else it is cut. */
  #letGo(isWhole: boolean): void {
    if (isWhole) this.#input.clock.setTimer(LINGER_MS, () => this.#exchange.abort());
    else this.#exchange.abort();
  }

  #readerInput(): ReaderInput {
    return { ...this.#input.reader, status: this.#status ?? 0, headers: this.#headers, sink: this.#sink() };
  }

  #sink(): AnswerSink {
    const { clock, reader } = this.#input;
    return {
      commit: (form) => {
        this.#moments.committedAt = clock.now();
        this.#phase = 'streaming';
        reader.sink.commit(form);
      },
      frames: (frames) => {
        if (frames.some(({ events }) => !isSignOfLife(events))) this.#moments.lastOutputAt = clock.now();
        reader.sink.frames(frames);
      },
      json: (bytes, isLast) => {
        this.#moments.lastOutputAt = clock.now();
        reader.sink.json(bytes, isLast);
      },
    };
  }

  /** Everything that the classifier may look at. */
  #signal(cause: Cause): FailureSignal {
    const { route, clock } = this.#input;
    const reader = this.#reader;
    return {
      cause,
      provider: route.provider,
      protocol: route.protocol,
      translated: false,
      status: this.#status,
      headers: this.#headers,
      error: this.#error ?? reader?.error ?? null,
      body: reader?.body ?? 'none',
      anyByte: this.#anyByte,
      anyEvent: reader?.anyEvent ?? false,
      anyItem: reader?.anyItem ?? false,
      committed: this.#moments.committedAt !== null,
      at: this.#moments.headAt ?? clock.now(),
    };
  }
}

/** Pings and comments behind the commit are a sign of life, not of progress. */
function isSignOfLife(events: readonly CanonicalEvent[]): boolean {
  return events.length > 0 && events.every(({ type }) => type === 'comment' || type === 'ping' || type === 'noise');
}

/** While a slow client keeps the provider waiting, no clock of the provider's runs. */
function shift(moments: Mutable<AttemptMoments>, by: number): void {
  moments.startedAt += by;
  if (moments.sentAt !== null) moments.sentAt += by;
  if (moments.headAt !== null) moments.headAt += by;
  if (moments.lastByteAt !== null) moments.lastByteAt += by;
  if (moments.committedAt !== null) moments.committedAt += by;
  if (moments.lastOutputAt !== null) moments.lastOutputAt += by;
}
