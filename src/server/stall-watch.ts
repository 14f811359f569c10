import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '../port/clock.ts';
import { takenBytes } from './taken-bytes.ts';

/**
 * Cuts a client that takes nothing of an answer that was handed over whole: until it has left, its bytes are held here.
 * A client that takes a little is left alone, however long that lasts.
 */
export function watchStall(res: ServerResponse, clock: Clock, stallMs: number): void {
  if (res.closed || res.destroyed || res.writableFinished) return;
  const { socket } = res.req;
  let taken = takenBytes(socket);
  let timer: Timer;
  const look = (): void => {
    const now = takenBytes(socket);
    if (now === taken) socket.destroy();
    else {
      taken = now;
      timer = clock.setTimer(stallMs, look);
    }
  };
  timer = clock.setTimer(stallMs, look);
  res.once('close', () => timer.cancel());
}
