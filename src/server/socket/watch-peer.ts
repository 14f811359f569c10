import type { WebSocket } from 'ws';
import type { Clock } from '../../port/clock.ts';
import type { SocketWriter } from './socket-writer.ts';

/** A connection whose other side is gone without a word is found out after two of these. */
export const PING_EVERY_MS = 30_000;

/** Pings the client, which keeps proxies between from giving up, and cuts it once it does not answer. */
export function watchPeer(ws: WebSocket, writer: SocketWriter, clock: Clock): { stop(): void } {
  let isAlive = true;
  let taken = 0;
  const look = (): void => {
    const now = writer.taken();
    // A slow client gets to the ping behind all that it has to read before.
    if (!isAlive && now === taken) {
      ws.terminate();
      return;
    }
    isAlive = false;
    taken = now;
    writer.ping();
    timer = clock.setTimer(PING_EVERY_MS, look);
  };
  let timer = clock.setTimer(PING_EVERY_MS, look);
  const live = (): void => {
    isAlive = true;
  };
  for (const sign of ['pong', 'ping', 'message']) ws.on(sign, live);
  return { stop: () => timer.cancel() };
}
