import type { Clock, Timer } from '../port/clock.ts';
import { type Addressee, answerHead } from './answer.ts';

/** Something between here and the client ends a connection on which nothing comes, some after half a minute. */
const PING_MS = 10_000;

/** An answer that grows event by event (`text/event-stream`). Its head leaves with the first one. */
export type EventAnswer = {
  /** One write. What a client does not read in time is left out, unless it `matters`. */
  tell(event: { readonly type: string }, matters: boolean): void;
  readonly isOpen: () => boolean;
  end(): void;
};

export function createEventAnswer(exchange: Addressee, clock: Clock, isLast: () => boolean): EventAnswer {
  const { res } = exchange;
  let timer: Timer | null = null;
  const close = (): void => timer?.cancel();
  const ping = (): void => {
    timer = clock.setTimer(PING_MS, () => {
      if (!res.writableNeedDrain) res.write(': nothing new\n\n');
      ping();
    });
  };
  const open = (): void => {
    answerHead(exchange, 200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }, isLast());
    res.once('close', close);
    ping();
  };
  const isGone = (): boolean => res.destroyed || res.writableEnded;
  return {
    tell(event, matters) {
      if (isGone()) return;
      if (!res.headersSent) open();
      if (matters || !res.writableNeedDrain) res.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    },
    isOpen: () => res.headersSent,
    end() {
      close();
      if (!isGone()) res.end();
    },
  };
}

/** Whether a client would rather watch than wait for the end. */
export const wantsEvents = (accept: string | undefined): boolean =>
  (accept ?? '').split(',').some((type) => type.trim().toLowerCase().split(';')[0]?.trim() === 'text/event-stream');
