import type { Clock, Timer } from '../../port/clock.ts';
import { LedgerUnavailableError } from '../../port/ledger-store.ts';
import type { Question, Questions } from './messages.ts';
import type { ErrorWords } from './sqlite-error.ts';
import type { WriterThread } from './worker-thread.ts';

/** Questions to the writer's thread that wait for their answers. Each gets one, or is rejected. */
export interface QuestionDesk {
  ask<Q extends Question>(
    thread: WriterThread | null,
    question: Q,
    about: Questions[Q]['ask'],
  ): Promise<Questions[Q]['answer']>;
  answer(id: number, value: unknown): void;
  refuse(id: number, words: ErrorWords): void;
  refuseAll(words: ErrorWords): void;
}

const ANSWER_MS = 10_000;

type Asked = {
  readonly thread: WriterThread;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: Timer;
};

const unavailable = ({ code, message }: ErrorWords): LedgerUnavailableError =>
  new LedgerUnavailableError(`the ledger can't be reached (${code}): ${message}`);

export function createQuestionDesk(clock: Clock): QuestionDesk {
  const asked = new Map<number, Asked>();
  let ids = 0;

  const finish = (id: number, end: (entry: Asked) => void): void => {
    const entry = asked.get(id);
    if (entry === undefined) return;
    asked.delete(id);
    entry.timer.cancel();
    if (asked.size === 0) entry.thread.hold(false);
    end(entry);
  };
  const refuse = (id: number, words: ErrorWords): void => finish(id, ({ reject }) => reject(unavailable(words)));

  return {
    ask(thread, question, about) {
      if (thread === null) return Promise.reject(unavailable({ code: 'no_thread', message: 'its thread is down' }));
      return new Promise((resolve, reject) => {
        const id = ++ids;
        const giveUp = (): void => refuse(id, { code: 'timeout', message: 'no answer in time' });
        asked.set(id, {
          thread,
          resolve: resolve as Asked['resolve'],
          reject,
          timer: clock.setTimer(ANSWER_MS, giveUp),
        });
        // Who waits for an answer wants the process to live.
        thread.hold(true);
        thread.post({ type: 'ask', id, question, about });
      });
    },
    answer: (id, value) => finish(id, ({ resolve }) => resolve(value)),
    refuse,
    refuseAll(words) {
      for (const id of asked.keys()) refuse(id, words);
    },
  };
}
