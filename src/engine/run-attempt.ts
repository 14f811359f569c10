import type { Expiry } from '../core/attempt/clocks.ts';
import type { StopWord } from '../core/attempt/judge-stop.ts';
import type { AnswerTold } from '../core/attempt/ledger.ts';
import { isStaleSocket } from '../core/attempt/stale-socket.ts';
import type { Outcome, Phase } from '../core/failure/outcome.ts';
import type { FailureSignal, ProviderError } from '../core/failure/signal.ts';
import type { ClassifierRow } from '../core/failure/table.ts';
import type { RelayEdit } from '../core/model/event.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { ModelSettings } from '../core/model/settings.ts';
import type { Usage } from '../core/model/usage.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { Clock, Timer } from '../port/clock.ts';
import type { HttpClient, HttpExchange, HttpFailure, HttpHandler, HttpRequest } from '../port/http-client.ts';
import { AttemptClocks } from './attempt-clocks.ts';
import { type AnswerReader, type AnswerSink, chooseReader, type ReaderEnd, type ReaderInput } from './reader/index.ts';

/** How an attempt ended. `stopped`: from outside (client, deadline, drain). */
export type AttemptEnd =
  | { readonly type: 'complete'; readonly outcome: Outcome }
  | { readonly type: 'failed' | 'interrupted'; readonly signal: FailureSignal; readonly limitMs: number | null }
  | { readonly type: 'stale_socket' }
  | { readonly type: 'stopped'; readonly why: StopWord };

export type AttemptInput = {
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly route: Route;
  readonly request: HttpRequest;
  /** `EncodedRequest.sentBetas`. */
  readonly sentBetas: readonly string[] | undefined;
  readonly settings: ModelSettings;
  readonly reader: Omit<ReaderInput, 'status' | 'headers'>;
  readonly onHead: (status: number, headers: Headers) => void;
  /** Something moved: look at the clocks again. */
  readonly onProgress: () => void;
};

/** How long a socket may take to end its body behind the answer's own end, before it is given up. */
const LINGER_MS = 1000;

type Cause = FailureSignal['cause'];

const NO_EDITS: ReadonlySet<RelayEdit> = new Set();
const CUT: Cause = { kind: 'fault', fault: 'incomplete' };
const EMPTY: Cause = { kind: 'fault', fault: 'empty' };
const WRONG_CONTENT: Cause = { kind: 'fault', fault: 'wrong_content' };

/** Sends one request and reads its answer. `done` resolves exactly once, whatever sees the end first. */
export class RunningAttempt {
  readonly done: Promise<AttemptEnd>;
  /** Without the request: its body is the client's to let go. */
  readonly #input: Omit<AttemptInput, 'request'>;
  readonly #wantsFresh: boolean;
  readonly #exchange: HttpExchange;
  readonly #clocks: AttemptClocks;
  /** Chunks before the first byte that tells what the body is. */
  readonly #blank: Uint8Array[] = [];
  #blankBytes = 0;
  #resolve: (end: AttemptEnd) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #phase: Phase = 'connecting';
  #status: number | null = null;
  #headers: Headers = {};
  #reader: AnswerReader | null = null;
  /** Of an error event in a stream. */
  #error: ProviderError | null = null;
  #anyByte = false;
  #isOver = false;
  #linger: Timer | null = null;

  constructor({ request, ...input }: AttemptInput) {
    this.#input = input;
    this.#wantsFresh = request.freshSocket;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#clocks = new AttemptClocks(input.clock.now(), input.settings.timeouts, input.reader.wantsStream);
    this.#exchange = input.http.send(request, this.#handler());
  }

  get phase(): Phase {
    return this.#phase;
  }

  get heldBytes(): number {
    return this.#blankBytes + (this.#reader?.heldBytes ?? 0);
  }

  /** Something that a reader of the answer would see has come. */
  get hasOutput(): boolean {
    return this.#reader?.hasOutput ?? false;
  }

  /** The id that the provider gave the answer; null: none so far. */
  answerId(): string | null {
    return this.#reader?.answerId?.() ?? null;
  }

  /** What of the answer only its issuer can read, by sums. */
  seals(): readonly string[] {
    return this.#reader?.seals?.() ?? [];
  }

  /** The client holds a terminal already: its leaving is a success, with this outcome. */
  get terminal(): Outcome | null {
    return this.#reader?.terminal ?? null;
  }

  get edits(): ReadonlySet<RelayEdit> {
    return this.#reader?.edits ?? NO_EDITS;
  }

  /** Rows of the failure table that stand before all others for what it reads. */
  get failureRows(): readonly ClassifierRow[] {
    return this.#input.reader.codec.failureRows ?? [];
  }

  /** How long nothing has come; time in which the client kept it waiting does not count. */
  silentMs(now: number): number {
    return this.#clocks.silentMs(now);
  }

  usage(): Usage | null {
    return this.#reader?.usage() ?? null;
  }

  /** What the provider said of its answer so far. */
  told(): AnswerTold {
    return { finish: this.#reader?.finish?.() ?? null, model: this.#reader?.servedModel?.() ?? null };
  }

  /** The moment at which a clock runs out; null while all stand still. */
  expiresAt(): number | null {
    return this.#isOver || this.#clocks.isPaused ? null : this.#nextExpiry().at;
  }

  /** Ends the attempt if a clock has run out. */
  checkClocks(now: number): void {
    if (this.#isOver || this.#clocks.isPaused) return;
    const { clock, at, limitMs } = this.#nextExpiry();
    if (now < at) return;
    const cause: Cause = { kind: 'clock', clock, limitMs };
    if (this.#reader === null) this.#fail(cause, true, limitMs);
    else this.#close(this.#reader.clock(), true, cause, limitMs);
  }

  /** The client can't keep up: the provider waits, and no clock of its runs. */
  pause(now: number): void {
    if (this.#isOver || this.#clocks.isPaused) return;
    this.#clocks.pause(now);
    this.#exchange.pause();
  }

  resume(now: number): void {
    if (!this.#clocks.isPaused) return;
    this.#clocks.resume(now);
    this.#exchange.resume();
  }

  /**
   * Ends it from outside. What has a terminal already is whole, whoever ends it, unless it is the client that is gone.
   */
  stop(why: StopWord): void {
    const reader = this.#reader;
    const isWhole = !this.#isOver && reader !== null && reader.terminal !== null;
    if (isWhole && why !== 'client_left' && why !== 'client_stalled') this.#close(reader.clock(), true, CUT);
    else this.#finish({ type: 'stopped', why }, true);
  }

  /** A fault of our own: nothing more is read, and whoever waits for the end is told of it. */
  crash(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#exchange.abort();
    this.#reject(error);
  }

  #nextExpiry(): Expiry {
    return this.#clocks.next(this.#reader?.isToldFailure === true);
  }

  /** What the client of HTTP calls must not throw into it: it would end more than this attempt. */
  #handler(): HttpHandler {
    const guard = (run: () => void): void => {
      try {
        run();
      } catch (error) {
        this.crash(error);
      }
    };
    return {
      onSent: () => guard(() => this.#onSent()),
      onHead: (status, headers) => guard(() => this.#onHead(status, headers)),
      onData: (chunk) => guard(() => this.#onData(chunk)),
      onEnd: () => guard(() => this.#onEnd()),
      onFailure: (failure) => guard(() => this.#onFailure(failure)),
    };
  }

  #onSent(): void {
    if (this.#isOver) return;
    this.#clocks.note('sentAt', this.#input.clock.now());
    this.#phase = 'sent';
    this.#input.onProgress();
  }

  #onEnd(): void {
    this.#linger?.cancel();
    if (this.#isOver) return;
    const { emptyAnswer } = this.#input.reader.codec;
    if (this.#reader === null && emptyAnswer !== undefined) this.#onFirst(emptyAnswer);
    if (this.#isOver) return;
    if (this.#reader === null) this.#fail(EMPTY, false);
    else this.#close(this.#reader.end(true), false, CUT);
  }

  #onHead(status: number, headers: Headers): void {
    if (this.#isOver) return;
    this.#anyByte = true;
    this.#status = status;
    this.#headers = headers;
    this.#phase = 'preflight';
    this.#clocks.note('headAt', this.#input.clock.now());
    this.#input.onHead(status, headers);
    this.#reader = chooseReader(this.#readerInput(), null);
    this.#input.onProgress();
  }

  #onData(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#clocks.note('lastByteAt', this.#input.clock.now());
    if (this.#reader === null) this.#onFirst(chunk);
    else this.#push(this.#reader, chunk);
    this.#input.onProgress();
  }

  /** Until a byte comes that tells what the body is. Blank ones are kept, since an answer is given out as it came. */
  #onFirst(chunk: Uint8Array): void {
    this.#blank.push(chunk);
    this.#blankBytes += chunk.length;
    const reader = chooseReader(this.#readerInput(), chunk);
    if (reader !== null) {
      this.#reader = reader;
      this.#blankBytes = 0;
      for (const piece of this.#blank.splice(0)) this.#push(reader, piece);
    } else if (this.#blankBytes > this.#input.settings.preflight.maxBytes) this.#fail(WRONG_CONTENT, true);
  }

  #push(reader: AnswerReader, chunk: Uint8Array): void {
    if (this.#isOver) return;
    const before = reader.outputs;
    const end = reader.push(chunk);
    if (reader.outputs !== before) this.#clocks.note('lastOutputAt', this.#input.clock.now());
    if (end !== null) this.#close(end, true, CUT);
  }

  #onFailure({ error, detail, reusedSocket }: HttpFailure): void {
    this.#linger?.cancel();
    if (this.#isOver) return;
    const loss = { error, isReused: reusedSocket, wantsFresh: this.#wantsFresh, phase: this.#phase };
    const cause: Cause = { kind: 'transport', error, detail };
    if (isStaleSocket(loss)) this.#finish({ type: 'stale_socket' }, false);
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
    const type = this.#clocks.isCommitted ? 'interrupted' : 'failed';
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
    if (!isWhole) {
      this.#exchange.abort();
      return;
    }
    if (this.#clocks.isPaused) this.#exchange.resume();
    this.#linger = this.#input.clock.setTimer(LINGER_MS, () => this.#exchange.abort());
  }

  #readerInput(): ReaderInput {
    return { ...this.#input.reader, status: this.#status ?? 0, headers: this.#headers, sink: this.#sink() };
  }

  #sink(): AnswerSink {
    const { clock, reader } = this.#input;
    return {
      commit: (form) => {
        this.#clocks.note('committedAt', clock.now());
        this.#phase = 'streaming';
        reader.sink.commit(form);
      },
      frames: (frames) => reader.sink.frames(frames),
      json: (bytes, isLast) => reader.sink.json(bytes, isLast),
    };
  }

  /** Everything that the classifier may look at. */
  #signal(cause: Cause): FailureSignal {
    const {
      route,
      clock,
      sentBetas,
      reader: { codec },
    } = this.#input;
    const reader = this.#reader;
    return {
      cause,
      provider: route.provider,
      protocol: route.protocol,
      translated: codec.isTranslated === true,
      ...(sentBetas === undefined ? {} : { sentBetas }),
      status: this.#status,
      headers: this.#headers,
      error: this.#error ?? reader?.error ?? null,
      body: reader?.body ?? 'none',
      anyByte: this.#anyByte,
      anyEvent: reader?.anyEvent ?? false,
      anyItem: reader?.anyItem ?? false,
      committed: this.#clocks.isCommitted,
      at: this.#clocks.headAt ?? clock.now(),
    };
  }
}
