import type { ServerResponse } from 'node:http';
import type { Headers } from '../core/model/protocol.ts';
import type { Clock } from '../port/clock.ts';
import type { Downstream } from '../port/downstream.ts';
import { watchStall } from './stall-watch.ts';
import { takenBytes } from './taken-bytes.ts';

export type DownstreamOptions = {
  readonly clock: Clock;
  /** How long a client may take nothing of an answer that was handed over. */
  readonly stallMs: number;
  /** Stand in every head: request ids, CORS. The caller's headers win over them, but for these. */
  readonly ownHeaders: Headers;
  /** No further request on this connection. Asked when the head goes out. */
  readonly isLast: () => boolean;
};

type Head = { readonly status: number; readonly headers: Headers };

/**
 * A client's side of one request over node:http. The head leaves at once; only an `end` in the same turn of the event
 * loop joins it, so that a short answer is one write with a content-length. HTTP/1.1 connections persist without a word
 * on it, so the head has none.
 */
export function createDownstream(res: ServerResponse, options: DownstreamOptions): Downstream {
  let pending: Head | null = null;
  let isOver = false;

  const sendHead = (length: number | null): void => {
    if (pending === null || isOver) return;
    const { status, headers } = pending;
    pending = null;
    const all: Record<string, string | number> = { ...headers, ...options.ownHeaders };
    if (length !== null && all['content-length'] === undefined) all['content-length'] = length;
    if (options.isLast()) all['connection'] = 'close';
    else if (res.shouldKeepAlive && res.req.httpVersionMinor === 1) res.removeHeader('connection');
    res.writeHead(status, all);
    if (length === null) res.flushHeaders();
  };

  return {
    head(status, headers) {
      if (res.headersSent || pending !== null || isGone(res)) return;
      pending = { status, headers };
      queueMicrotask(() => sendHead(null));
    },
    write(bytes) {
      if (isOver || isGone(res)) return true;
      sendHead(null);
      return res.write(bytes);
    },
    end(bytes) {
      if (isOver || isGone(res)) return;
      sendHead(bytes?.length ?? 0);
      isOver = true;
      if (bytes === undefined) res.end();
      else res.end(bytes);
      watchStall(res, options.clock, options.stallMs);
    },
    destroy() {
      isOver = true;
      cut(res);
    },
    taken: () => takenBytes(res.req.socket),
    queued: () => res.writableLength,
    listen(events) {
      res.on('drain', events.onDrain);
      if (isGone(res)) {
        queueMicrotask(events.onClose);
        return;
      }
      const { socket } = res.req;
      // Node ends its own side then, behind what the client has not read yet: no more of the answer can follow that.
      const onEnd = (): void => {
        if (!isOver && res.writableNeedDrain) socket.destroy();
      };
      socket.once('end', onEnd);
      res.once('close', () => {
        socket.off('end', onEnd);
        if (!res.writableFinished) events.onClose();
      });
    },
  };
}

const isGone = (res: ServerResponse): boolean => res.destroyed || res.closed || res.req.socket.destroyed;

/**
 * Without chunked coding the end of the connection is the end of the body, and a plain close would make a part look
 * whole: only a reset tells.
 */
function cut(res: ServerResponse): void {
  const socket = res.req.socket;
  if (res.headersSent && !res.chunkedEncoding && !res.hasHeader('content-length')) socket.resetAndDestroy();
  else socket.destroy();
}
