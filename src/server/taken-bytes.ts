import type { Socket } from 'node:net';

/**
 * Bytes of a socket that the operating system has taken. Node counts what it has handed on, of which a slow peer's part
 * still waits in the handle's own queue; a TLS socket does not tell of that queue.
 */
export function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}
