import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { takenBytes } from '../taken-bytes.ts';

/** A client that has more of its messages before it can't keep up. */
const HIGH_WATER = 64 * 1024;

/** What goes to the client of one connection, and how it keeps up with that. */
export type SocketWriter = {
  /** One text message. */
  send(message: Uint8Array): void;
  ping(): void;
  /** The client can't keep up. */
  readonly isFull: boolean;
  /** Bytes that it has not taken. */
  queued(): number;
  /** See `Downstream.taken`. */
  taken(): number;
  readonly isOpen: boolean;
  /** Called whenever everything has been taken. */
  onEmpty: () => void;
};

export function createSocketWriter(ws: WebSocket, socket: Socket): SocketWriter {
  const writer: SocketWriter = {
    send(message) {
      if (ws.readyState !== ws.OPEN) return;
      // A client must end the connection over bytes that are no UTF-8, which HTTP would hand on.
      const text = isUtf8(message) ? message : new TextEncoder().encode(new TextDecoder().decode(message));
      ws.send(text, { binary: false }, settle);
    },
    ping() {
      if (ws.readyState === ws.OPEN) ws.ping();
    },
    get isFull() {
      return ws.bufferedAmount > HIGH_WATER;
    },
    queued: () => ws.bufferedAmount,
    taken: () => takenBytes(socket),
    get isOpen() {
      return ws.readyState === ws.OPEN;
    },
    onEmpty: () => {},
  };
  const settle = (): void => {
    if (ws.bufferedAmount === 0) writer.onEmpty();
  };
  return writer;
}
