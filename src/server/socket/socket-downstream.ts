import type { Headers } from '../../core/model/protocol.ts';
import type { Downstream } from '../../port/downstream.ts';
import { createMessageWriter, errorMessage } from '../../protocol/openai-responses/index.ts';
import type { SocketWriter } from './socket-writer.ts';

/** The client's side of one request over a WebSocket, and what its connection tells it. */
export type SocketDownstream = {
  readonly downstream: Downstream;
  onEmpty(): void;
  /** The client has left, or leaves. */
  onClose(): void;
};

const COLON = 0x3a;

/**
 * A stream is one message for each of its events; a comment, which is there to show that somebody is, is a ping. What HTTP
 * would tell with a status is a message with that status. Neither ends the connection.
 */
export function createSocketDownstream(
  writer: SocketWriter,
  {
    streamId,
    ownHeaders,
    cut,
  }: { readonly streamId: string | null; readonly ownHeaders: Headers; readonly cut: () => void },
): SocketDownstream {
  const messages = createMessageWriter(streamId);
  let refused: { readonly status: number; readonly headers: Headers } | null = null;
  let isOver = false;
  let isBlocked = false;
  let events: Parameters<Downstream['listen']>[0] | null = null;

  const write = (bytes: Uint8Array): void => {
    const made = messages.push(bytes);
    if (made === null) {
      cut();
      return;
    }
    if (made.length === 0 && bytes[0] === COLON) writer.ping();
    for (const message of made) writer.send(message);
  };
  return {
    downstream: {
      head(status, headers) {
        if (status !== 200) refused = { status, headers: { ...headers, ...ownHeaders } };
      },
      write(bytes) {
        if (isOver || !writer.isOpen) return true;
        write(bytes);
        isBlocked = writer.isFull;
        return !isBlocked;
      },
      end(bytes) {
        if (isOver) return;
        isOver = true;
        if (refused !== null) writer.send(errorMessage(refused, bytes ?? new Uint8Array(0), streamId));
        else if (bytes !== undefined) write(bytes);
      },
      destroy() {
        isOver = true;
        cut();
      },
      taken: () => writer.taken(),
      queued: () => writer.queued(),
      listen(given) {
        events = given;
        if (!writer.isOpen) queueMicrotask(given.onClose);
      },
    },
    onEmpty() {
      if (!isBlocked) return;
      isBlocked = false;
      events?.onDrain();
    },
    onClose() {
      if (!isOver) events?.onClose();
    },
  };
}
