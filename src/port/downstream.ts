import type { Headers } from '../core/model/protocol.ts';

/**
 * The client's side of one request, as the engine sees it. The server implements it over node:http, the simulator over
 * nothing. The head goes out with the first call that writes.
 */
export interface Downstream {
  /** Sends the status line and headers at once. */
  head(status: number, headers: Headers): void;
  /** False: the client is slow; wait for `onDrain` before writing more. */
  write(bytes: Uint8Array): boolean;
  /** Ends the body as HTTP wants it. */
  end(bytes?: Uint8Array): void;
  /** Cuts the connection: what was written so far must not look whole. */
  destroy(): void;
  /**
   * Bytes that the client's side has taken so far. Only its growth means something: a client that takes any is slow,
   * one that takes none has stalled. Absent where nothing tells; then only `onDrain` does.
   */
  taken?(): number;
  /** Bytes that were written and that the client's side has not taken; absent where nothing tells. */
  queued?(): number;
  /** The two moments that the engine is told of. At most one listener each. */
  listen(events: { readonly onDrain: () => void; readonly onClose: () => void }): void;
}
