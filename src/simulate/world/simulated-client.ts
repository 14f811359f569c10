import type { Headers } from '../../core/model/protocol.ts';
import type { Clock, Timer } from '../../port/clock.ts';
import type { Downstream } from '../../port/downstream.ts';
import { concatBytes, decodeUtf8 } from '../../protocol/json/index.ts';

export type ClientScript = {
  /** Bytes that fit between gateway and client; above them `write` says no. */
  readonly window?: number;
  /** How long the client takes to read a full window; null: for ever. */
  readonly drainMs?: number | null;
  /** Leaves so long after the request; null: stays. */
  readonly leaveMs?: number | null;
  /** Leaves as soon as it has read this text. */
  readonly leaveAfter?: string;
  /** Leaves as soon as this says so of what was written now. */
  readonly leaveWhen?: (bytes: Uint8Array) => boolean;
  /** Bytes that its side has taken, where that can be told. */
  readonly taken?: () => number;
  /** Any call of the engine from the n-th on throws (from 1). */
  readonly crashAt?: number;
};

export type Written = { readonly at: number; readonly bytes: Uint8Array };

/** The client's side of one request. Not an ordinary one: it also notes what the engine must not do. */
export type SimulatedClient = Downstream & {
  readonly status: number | null;
  readonly headers: Headers;
  readonly headAt: number | null;
  readonly writes: readonly Written[];
  /** Everything that reached the client, as text. */
  readonly text: string;
  readonly size: number;
  readonly ending: 'end' | 'destroy' | null;
  readonly endedAt: number | null;
  readonly isClosed: boolean;
  /** It was told "no" at least once. */
  readonly wasBlocked: boolean;
  /** Calls that break the rules of the port. */
  readonly violations: readonly string[];
  /** From now on writes find the window full, until `drain`. */
  block(): void;
  drain(): void;
  /** The client leaves. */
  close(): void;
  /** Stops the script's own timers. */
  stop(): void;
};

/** A client that reads, waits and leaves as its script says. */
export const createSimulatedClient = (clock: Clock, script: ClientScript = {}): SimulatedClient =>
  new ScriptedClient(clock, script);

class ScriptedClient implements SimulatedClient {
  readonly writes: Written[] = [];
  readonly violations: string[] = [];
  readonly taken?: () => number;
  status: number | null = null;
  headers: Headers = {};
  headAt: number | null = null;
  ending: 'end' | 'destroy' | null = null;
  endedAt: number | null = null;
  isClosed = false;
  wasBlocked = false;
  readonly #clock: Clock;
  readonly #script: ClientScript;
  readonly #timers: Timer[] = [];
  #listener: Parameters<Downstream['listen']>[0] | null = null;
  #isBlocked = false;
  #unread = 0;
  #calls = 0;

  constructor(clock: Clock, script: ClientScript) {
    this.#clock = clock;
    this.#script = script;
    if (script.taken !== undefined) this.taken = script.taken;
  }

  get text(): string {
    return decodeUtf8(concatBytes(this.writes.map(({ bytes }) => bytes)));
  }

  get size(): number {
    return this.writes.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  head(code: number, fields: Headers): void {
    this.#check('head');
    if (this.status !== null) this.violations.push('second head');
    if (this.isClosed) return;
    this.status = code;
    this.headers = fields;
    this.headAt = this.#clock.now();
  }

  write(bytes: Uint8Array): boolean {
    this.#check('write');
    this.#take(bytes);
    const { window = Number.POSITIVE_INFINITY, drainMs = null } = this.#script;
    if (this.#isBlocked) this.wasBlocked = true;
    if (this.#isBlocked || this.isClosed || this.#unread <= window) return !this.#isBlocked;
    this.#isBlocked = true;
    this.wasBlocked = true;
    if (drainMs !== null) this.#timers.push(this.#clock.setTimer(drainMs, () => this.drain()));
    return false;
  }

  end(bytes?: Uint8Array): void {
    this.#check('end');
    if (bytes !== undefined) this.#take(bytes);
    this.#finish('end');
  }

  destroy(): void {
    this.#check('destroy');
    this.#finish('destroy');
  }

  queued(): number {
    return this.#isBlocked && !this.isClosed ? this.#unread : 0;
  }

  listen(events: Parameters<Downstream['listen']>[0]): void {
    if (this.#listener !== null) this.violations.push('second listener');
    this.#listener = events;
    const { leaveMs = null } = this.#script;
    if (leaveMs !== null) this.#timers.push(this.#clock.setTimer(leaveMs, () => this.close()));
  }

  block(): void {
    this.#isBlocked = true;
  }

  drain(): void {
    this.#unread = 0;
    this.#isBlocked = false;
    if (!this.isClosed) this.#listener?.onDrain();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.stop();
    this.#listener?.onClose();
  }

  stop(): void {
    for (const timer of this.#timers.splice(0)) timer.cancel();
  }

  #finish(ending: 'end' | 'destroy'): void {
    this.ending ??= ending;
    this.endedAt = this.#clock.now();
    this.stop();
  }

  #check(what: string): void {
    const { crashAt } = this.#script;
    this.#calls += 1;
    if (crashAt !== undefined && this.#calls >= crashAt) throw new Error(`scripted crash of ${what}`);
    if (this.ending !== null) this.violations.push(`${what} after ${this.ending}`);
    if (what !== 'head' && what !== 'destroy' && this.status === null) this.violations.push(`${what} without a head`);
  }

  #take(bytes: Uint8Array): void {
    if (this.isClosed) return;
    this.writes.push({ at: this.#clock.now(), bytes });
    this.#unread += bytes.length;
    const { leaveAfter, leaveWhen } = this.#script;
    const hasRead = leaveAfter !== undefined && this.text.includes(leaveAfter);
    if (hasRead || leaveWhen?.(bytes) === true) this.#timers.push(this.#clock.setTimer(0, () => this.close()));
  }
}
