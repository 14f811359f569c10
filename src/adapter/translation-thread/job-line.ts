import type { CanonicalRequest } from '../../core/model/request.ts';
import { describeFault } from '../../core/redact/index.ts';
import type { Clock, Timer } from '../../port/clock.ts';
import type { TranslationTrouble } from '../../port/translation-pool.ts';
import { createKeptRequests } from './kept-requests.ts';
import type { StartTranslator, TranslationAnswer, TranslationAsk, TranslatorThread } from './messages.ts';

export type JobLineOptions = {
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly start: StartTranslator;
  /** Asks that may wait while one is answered. */
  readonly maxWaiting: number;
  /** Bytes of requests whose trees the thread keeps for a further ask. */
  readonly maxKept: number;
  /** Whatever takes longer does not end by itself. */
  readonly mostMs: number;
};

export type Job = {
  /** Of the request. */
  readonly id: number;
  readonly request: CanonicalRequest;
  readonly ask: TranslationAsk;
  readonly settle: (answer: TranslationAnswer) => void;
};

/** Asks, one after the other, and the thread that answers them. */
export type JobLine = {
  /** Settles it at once where too many wait. */
  enter(job: Job): void;
  /** Nothing more will be asked of this request, and nobody waits for its answers. */
  leave(id: number): void;
  close(): Promise<void>;
};

/** What the line is at, and what runs out where that takes too long. */
type Running = { readonly job: Job; readonly timer: Timer };

export function createJobLine({ clock, start, maxWaiting, maxKept, mostMs }: JobLineOptions): JobLine {
  const kept = createKeptRequests(maxKept);
  let waiting: Job[] = [];
  let running: Running | null = null;
  let thread: TranslatorThread | null = null;

  const loseThread = (): void => {
    thread = null;
    kept.clear();
  };
  const launch = (): TranslatorThread => {
    const started = start({
      onAnswer: (answer) => thread === started && finish(answer),
      onDeath: (error) => thread === started && die(error),
    });
    return started;
  };
  const finish = (answer: TranslationAnswer): void => {
    const done = running;
    running = null;
    done?.timer.cancel();
    done?.job.settle(answer);
    goOn();
  };
  const die = (error: unknown): void => {
    loseThread();
    finish(troubled('died', error));
  };
  const giveUp = (): void => {
    void thread?.terminate();
    die(new RangeError('a translation takes too long'));
  };
  const hand = (to: TranslatorThread, { id, request, ask }: Job): void => {
    const isThere = kept.has(id);
    for (const gone of kept.use(id, request.original.length)) to.post({ type: 'forget', id: gone });
    to.post({ type: 'ask', id, request: isThere ? null : copyOf(request), ask });
  };
  const goOn = (): void => {
    if (running !== null) return;
    const job = waiting.shift();
    if (job === undefined) return;
    running = { job, timer: clock.setTimer(mostMs, giveUp) };
    try {
      thread ??= launch();
      hand(thread, job);
    } catch (error) {
      // It may be there all the same, with what it keeps: nobody knows it any more.
      void thread?.terminate();
      die(error);
    }
  };

  return {
    enter(job) {
      if (waiting.length >= maxWaiting) job.settle(troubled('busy'));
      else {
        waiting.push(job);
        goOn();
      }
    },
    leave(id) {
      waiting = waiting.filter((job) => job.id !== id);
      if (kept.remove(id)) thread?.post({ type: 'forget', id });
    },
    async close() {
      running?.timer.cancel();
      running = null;
      waiting = [];
      const last = thread;
      loseThread();
      if (last !== null) await endSoon(last, clock);
    },
  };
}

const LAST_WORDS_MS = 1000;

/** A thread that fights for memory hears nothing any more: nobody who leaves waits for it. */
function endSoon(thread: TranslatorThread, clock: JobLineOptions['clock']): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(LAST_WORDS_MS, resolve);
    const end = (): void => {
      timer.cancel();
      resolve();
    };
    thread.terminate().then(end, end);
  });
}

export const troubled = (word: TranslationTrouble, error?: unknown): TranslationAnswer => ({
  ok: false,
  trouble: word,
  fault: error === undefined ? null : describeFault(error),
});

/** With bytes of its own, of the very length: they are handed over. What a codec keeps of it for relays stays here. */
const copyOf = (request: CanonicalRequest): CanonicalRequest => ({
  ...request,
  original: new Uint8Array(request.original),
  extensions: {},
});
