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

export function createSimulatedClient(clock: Clock, script: ClientScript = {}): SimulatedClient {
  const { window = Number.POSITIVE_INFINITY, drainMs = null, leaveMs = null, leaveAfter, taken, crashAt } = script;
  const writes: Written[] = [];
  const violations: string[] = [];
  const timers: Timer[] = [];
  let listener: Parameters<Downstream['listen']>[0] | null = null;
  let status: number | null = null;
  let headers: Headers = {};
  let headAt: number | null = null;
  let ending: 'end' | 'destroy' | null = null;
  let endedAt: number | null = null;
  let isClosed = false;
  let isBlocked = false;
  let wasBlocked = false;
  let unread = 0;
  let calls = 0;

  const check = (what: string): void => {
    calls += 1;
    if (crashAt !== undefined && calls >= crashAt) throw new Error(`scripted crash of ${what}`);
    if (ending !== null) violations.push(`${what} after ${ending}`);
    if (what !== 'head' && what !== 'destroy' && status === null) violations.push(`${what} without a head`);
  };
  const take = (bytes: Uint8Array): void => {
    if (isClosed) return;
    writes.push({ at: clock.now(), bytes });
    unread += bytes.length;
    if (leaveAfter !== undefined && text().includes(leaveAfter)) timers.push(clock.setTimer(0, close));
  };
  const text = (): string => decodeUtf8(concatBytes(writes.map(({ bytes }) => bytes)));
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    stop();
    listener?.onClose();
  };
  const drain = (): void => {
    unread = 0;
    isBlocked = false;
    if (!isClosed) listener?.onDrain();
  };
  const stop = (): void => {
    for (const timer of timers.splice(0)) timer.cancel();
  };

  return {
    head(code, fields) {
      check('head');
      if (status !== null) violations.push('second head');
      if (isClosed) return;
      status = code;
      headers = fields;
      headAt = clock.now();
    },
    write(bytes) {
      check('write');
      take(bytes);
      if (isBlocked) wasBlocked = true;
      if (isBlocked || isClosed || unread <= window) return !isBlocked;
      isBlocked = true;
      wasBlocked = true;
      if (drainMs !== null) timers.push(clock.setTimer(drainMs, drain));
      return false;
    },
    end(bytes) {
      check('end');
      if (bytes !== undefined) take(bytes);
      ending ??= 'end';
      endedAt = clock.now();
      stop();
    },
    destroy() {
      check('destroy');
      ending ??= 'destroy';
      endedAt = clock.now();
      stop();
    },
    ...(taken === undefined ? {} : { taken }),
    queued: () => (isBlocked && !isClosed ? unread : 0),
    listen(events) {
      if (listener !== null) violations.push('second listener');
      listener = events;
      if (leaveMs !== null) timers.push(clock.setTimer(leaveMs, close));
    },
    get status() {
      return status;
    },
    get headers() {
      return headers;
    },
    get headAt() {
      return headAt;
    },
    writes,
    get text() {
      return text();
    },
    get size() {
      return writes.reduce((sum, { bytes }) => sum + bytes.length, 0);
    },
    get ending() {
      return ending;
    },
    get endedAt() {
      return endedAt;
    },
    get isClosed() {
      return isClosed;
    },
    get wasBlocked() {
      return wasBlocked;
    },
    violations,
    block() {
      isBlocked = true;
    },
    drain,
    close,
    stop,
  };
}
