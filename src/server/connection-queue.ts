import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client may send so many requests ahead on one connection; one that sends more gets the connection closed. */
const MAX_WAITING = 64;

type Turn = { readonly res: ServerResponse; readonly run: () => Promise<void> };
type Line = { current: ServerResponse | null; readonly waiting: Turn[] };

export type ConnectionQueue = {
  /** `run` never rejects. It is not called at all when the connection is gone by its turn. */
  enter(res: ServerResponse, run: () => Promise<void>): void;
  /** Bytes written to this connection now would be taken for a part of another answer. */
  isAnswering(socket: Socket): boolean;
};

/**
 * One request per client connection at a time. Node reads pipelined requests ahead and would start them all; here the
 * next one starts when the answer before it has left.
 */
export function createConnectionQueue(): ConnectionQueue {
  const lines = new WeakMap<Socket, Line>();

  const next = (socket: Socket, line: Line): void => {
    const turn = socket.destroyed ? undefined : line.waiting.shift();
    line.current = turn?.res ?? null;
    if (turn === undefined) line.waiting.length = 0;
    else void turn.run().finally(() => next(socket, line));
  };

  return {
    enter(res, run) {
      const { socket } = res.req;
      const line = lines.get(socket) ?? { current: null, waiting: [] };
      lines.set(socket, line);
      if (line.waiting.length >= MAX_WAITING) {
        socket.destroy();
        return;
      }
      line.waiting.push({ res, run });
      if (line.current === null) next(socket, line);
    },
    isAnswering(socket) {
      const res = lines.get(socket)?.current ?? null;
      return res !== null && (res.headersSent || res.req.complete);
    },
  };
}
