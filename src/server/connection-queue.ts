import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../port/clock.ts';

/** A client may send so many requests ahead on one connection; behind these nothing is served on it any more. */
const MAX_WAITING = 64;
/** What one read may hold beyond that, and no honest client sends. */
const MAX_IGNORED = 1024;
/** A connection that is closed on unread bytes is reset, and its client may lose the answers that are on their way. */
const LINGER_MS = 5000;

type Turn = { readonly res: ServerResponse; readonly run: () => Promise<void> };
type Line = { current: ServerResponse | null; readonly waiting: Turn[]; ignored: number };

export type ConnectionQueue = {
  /** `run` never rejects. It is not called at all when the connection is gone by its turn, or too many are waiting. */
  enter(res: ServerResponse, run: () => Promise<void>): void;
  /** Bytes written to this connection now would be taken for a part of another answer. */
  isAnswering(socket: Socket): boolean;
};

/**
 * One request per client connection at a time. Node reads pipelined requests ahead and would start them all; here the
 * next one starts when the answer before it has left. Where too many are sent ahead, those that wait are answered and
 * the connection is closed: the client may send the rest again on another, since nobody has looked at it.
 */
export function createConnectionQueue(clock: Clock): ConnectionQueue {
  const lines = new WeakMap<Socket, Line>();

  const next = (socket: Socket, line: Line): void => {
    const turn = socket.destroyed ? undefined : line.waiting.shift();
    line.current = turn?.res ?? null;
    if (turn !== undefined) void turn.run().finally(() => next(socket, line));
    else {
      line.waiting.length = 0;
      if (line.ignored > 0) leave(socket);
    }
  };

  const leave = (socket: Socket): void => {
    if (socket.destroyed) return;
    const timer = clock.setTimer(LINGER_MS, () => socket.destroy());
    socket.once('close', () => timer.cancel());
    socket.end();
    socket.resume();
  };

  const ignore = (socket: Socket, line: Line): void => {
    // A body in front that is still read starts the reading again, so that pausing alone is no bound.
    if (++line.ignored > MAX_IGNORED) socket.destroy();
    else if (line.current !== null) socket.pause();
  };

  return {
    enter(res, run) {
      const { socket } = res.req;
      const line = lines.get(socket) ?? { current: null, waiting: [], ignored: 0 };
      lines.set(socket, line);
      if (line.ignored > 0 || line.waiting.length >= MAX_WAITING) {
        ignore(socket, line);
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
