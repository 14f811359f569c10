import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../port/clock.ts';

/** A client may send so many requests ahead on one connection; behind these nothing is served on it any more. */
const MAX_WAITING = 64;
/**
 * What lies behind these in the same read is thrown away with its connection. So many of them are held over all
 * connections; beyond that a connection is cut, whatever is under way on it.
 */
const MAX_IGNORED = 32_768;
/** A connection that is closed on unread bytes is reset, and its client may lose the answers that are on their way. */
const LINGER_MS = 5000;

type Turn = { readonly res: ServerResponse; readonly run: () => Promise<void> };
type Line = {
  current: ServerResponse | null;
  readonly waiting: Turn[];
  /** Nothing behind this one is taken: once it is answered, the connection is closed. */
  last: ServerResponse | null;
  /** Nothing is read any more. */
  isDeaf: boolean;
  /** Requests that came behind the last one. */
  ignored: number;
};

export type ConnectionQueue = {
  /** `run` never rejects. It is not called at all when the connection is gone by its turn, or too many are waiting. */
  enter(res: ServerResponse, run: () => Promise<void>): void;
  /** Bytes written to this connection now would be taken for a part of another answer. */
  isAnswering(socket: Socket): boolean;
  /** A request is under way on this connection, or waits for its turn. */
  isBusy(socket: Socket): boolean;
  /** What comes on this connection now is nobody's business any more. */
  isClosing(socket: Socket): boolean;
};

/**
 * One request per client connection at a time. Node reads pipelined requests ahead and would start them all; here the
 * next one starts when the answer before it has left. Where too many are sent ahead, those that wait are answered and
 * the last answer says that the connection is closed behind it: the client may send the rest again on another, since
 * nobody has looked at it. So does the answer to a request that offers another protocol (`Upgrade: h2c`, `websocket`):
 * it is answered in this one, but where it ends Node's parser stops, and loses what the same read holds behind it.
 */
export function createConnectionQueue(clock: Clock): ConnectionQueue {
  const lines = new WeakMap<Socket, Line>();
  let ignored = 0;

  const next = (socket: Socket, line: Line): void => {
    const turn = socket.destroyed ? undefined : line.waiting.shift();
    line.current = turn?.res ?? null;
    if (turn === undefined) {
      line.waiting.length = 0;
      return;
    }
    if (turn.res === line.last) endWith(socket, turn.res);
    void turn.run().finally(() => next(socket, line));
  };

  /**
   * Node says `connection: close` in this answer's head. As it has left, it ends the connection, for which it asks
   * here.
   */
  const endWith = (socket: Socket, res: ServerResponse): void => {
    res.shouldKeepAlive = false;
    socket.destroySoon = () => leave(socket);
  };

  const leave = (socket: Socket): void => {
    if (socket.destroyed || socket.writableEnded) return;
    const timer = clock.setTimer(LINGER_MS, () => socket.destroy());
    socket.once('close', () => timer.cancel());
    socket.end();
    socket.resume();
  };

  /**
   * The read that is being parsed, of 64 KiB at most, is the last one. Those that wait lie in front of it, bodies and
   * all.
   */
  const ignore = (socket: Socket, line: Line): void => {
    line.ignored++;
    if (++ignored > MAX_IGNORED) socket.destroy();
    if (line.isDeaf) return;
    line.isDeaf = true;
    socket.once('close', () => {
      ignored -= line.ignored;
    });
    socket.pause();
    queueMicrotask(() => stopParsing(socket));
  };

  return {
    enter(res, run) {
      const { socket } = res.req;
      const line = lines.get(socket) ?? { current: null, waiting: [], last: null, isDeaf: false, ignored: 0 };
      lines.set(socket, line);
      if (line.waiting.length >= MAX_WAITING) line.last ??= line.waiting.at(-1)?.res ?? null;
      if (line.last !== null) {
        ignore(socket, line);
        return;
      }
      line.waiting.push({ res, run });
      if (res.req.headers.upgrade !== undefined) line.last = res;
      if (line.current === null) next(socket, line);
    },
    isAnswering(socket) {
      const res = lines.get(socket)?.current ?? null;
      return res !== null && (res.headersSent || res.req.complete);
    },
    isBusy: (socket) => (lines.get(socket)?.current ?? null) !== null,
    isClosing(socket) {
      const line = lines.get(socket);
      return line?.isDeaf === true || line?.last?.req.complete === true;
    },
  };
}

/** Node's parser gets nothing of this socket any more; what is read of it is thrown away. */
function stopParsing(socket: Socket): void {
  // With the first listener of ours Node takes its parser off the handle and makes it a listener, too.
  socket.on('data', () => {});
  socket.removeAllListeners('data');
}
