import type { Headers } from '../core/model/protocol.ts';
import type { Downstream } from '../port/downstream.ts';

/** The client's side of one request: what is out, whether it keeps up, whether it is still there. */
export type Relay = {
  /** A 200 head of an event stream is out: errors must be told inside it. */
  readonly isStreaming: boolean;
  /** The whole answer was handed over. */
  readonly isEnded: boolean;
  /** The client went away before that. */
  readonly isClosed: boolean;
  readonly isBlocked: boolean;
  /** Status of the head; null before it. */
  readonly status: number | null;
  /** Moment of the last write; null before any. */
  readonly lastWriteAt: number | null;
  /** Bytes that the client has taken, where that can be told; only growth means something. */
  taken(): number;
  /** Bytes that wait for a client which can't keep up. */
  queued(): number;
  open(status: number, headers: Headers): void;
  write(bytes: Uint8Array): void;
  end(bytes?: Uint8Array): void;
  destroy(): void;
};

export type RelayEvents = {
  /** The client can't keep up: stop reading the provider. */
  readonly onBlocked: () => void;
  readonly onDrain: () => void;
  readonly onClose: () => void;
};

export function createRelay(downstream: Downstream, now: () => number, events: RelayEvents): Relay {
  let status: number | null = null;
  let isEnded = false;
  let isClosed = false;
  let isBlocked = false;
  let lastWriteAt: number | null = null;
  downstream.listen({
    onDrain() {
      if (!isBlocked || isEnded || isClosed) return;
      isBlocked = false;
      events.onDrain();
    },
    onClose() {
      if (isEnded || isClosed) return;
      isClosed = true;
      events.onClose();
    },
  });
  return {
    get isStreaming() {
      return status === 200;
    },
    get isEnded() {
      return isEnded;
    },
    get isClosed() {
      return isClosed;
    },
    get isBlocked() {
      return isBlocked;
    },
    get status() {
      return status;
    },
    get lastWriteAt() {
      return lastWriteAt;
    },
    taken: () => downstream.taken?.() ?? 0,
    queued: () => downstream.queued?.() ?? 0,
    open(code, headers) {
      if (status !== null || isClosed) return;
      status = code;
      downstream.head(code, headers);
    },
    write(bytes) {
      if (bytes.length === 0 || isEnded || isClosed) return;
      lastWriteAt = now();
      if (downstream.write(bytes) || isBlocked) return;
      isBlocked = true;
      events.onBlocked();
    },
    end(bytes) {
      if (isEnded || isClosed) return;
      isEnded = true;
      try {
        downstream.end(bytes);
      } catch (error) {
        // It is not out, so it may still be destroyed.
        isEnded = false;
        throw error;
      }
    },
    destroy() {
      if (isEnded) return;
      isEnded = true;
      downstream.destroy();
    },
  };
}
