import type { Clock, Timer } from '../../port/clock.ts';
import type { Ask, FromWriter, Recorded, ToWriter, WriterSettings } from './messages.ts';
import { createQuestionDesk } from './question-desk.ts';
import { type ErrorWords, wordsOf } from './sqlite-error.ts';
import type { Violation } from './statements.ts';
import type { StartThread, WriterThread } from './worker-thread.ts';

export type WorkerLinkOptions = {
  readonly clock: Clock;
  readonly settings: WriterSettings;
  readonly start: StartThread;
  readonly onApplied: (ended: readonly string[], recorded: Recorded | null) => void;
  readonly onViolation: (violation: Violation) => void;
  readonly onDamaged: (journal: string, lines: number) => void;
  readonly onOpened: (abandoned: number) => void;
  /** May be told again of a trouble that lasts. */
  readonly onTrouble: (kind: 'database' | 'worker', words: ErrorWords) => void;
  readonly onRecovery: (kind: 'database' | 'worker') => void;
};

/** The way to the writer's thread: starts it, starts it again when it dies, and lets it try again after trouble. */
export type WorkerLink = {
  readonly follow: (name: string, seq: number) => void;
  readonly wake: () => void;
  readonly retain: (now: number) => void;
  readonly ask: Ask;
  readonly close: () => Promise<void>;
};

const RETRY_MS = 1_000;

type Handlers = { readonly [T in FromWriter['type']]: (message: Extract<FromWriter, { type: T }>) => void };

export function createWorkerLink(options: WorkerLinkOptions): WorkerLink {
  const { clock, start } = options;
  const questions = createQuestionDesk(clock);
  /** Journals that are not wholly in the database: a new thread is told of them again. */
  const files: { readonly name: string; readonly seq: number }[] = [];
  const left = new Set(options.settings.left);
  let thread: WriterThread | null = null;
  let retry: Timer | null = null;
  let isClosed = false;

  const post = (message: ToWriter): void => thread?.post(message);
  const retryLater = (act: () => void): void => {
    if (isClosed || retry !== null) return;
    retry = clock.setTimer(RETRY_MS, () => {
      retry = null;
      act();
    });
  };
  const launch = (): void => {
    try {
      const settings = { ...options.settings, left: [...left] };
      thread = start(settings, { onMessage: (message) => handlers[message.type](message as never), onDeath });
      for (const file of files) post({ type: 'file', ...file });
    } catch (error) {
      onDeath(error);
    }
  };
  const onDeath = (error: unknown): void => {
    thread = null;
    options.onTrouble('worker', wordsOf(error));
    questions.refuseAll(wordsOf(error));
    retryLater(launch);
  };
  const forget = (name: string): void => {
    left.delete(name);
    const index = files.findIndex((file) => file.name === name);
    if (index >= 0) files.splice(index, 1);
  };
  const handlers: Handlers = {
    opened({ abandoned }) {
      options.onRecovery('worker');
      options.onOpened(abandoned);
    },
    applied: ({ ended, recorded }) => options.onApplied(ended, recorded),
    released: ({ name }) => forget(name),
    violation: ({ violation }) => options.onViolation(violation),
    damaged: ({ journal, lines }) => options.onDamaged(journal, lines),
    trouble({ words }) {
      options.onTrouble('database', words);
      retryLater(() => post({ type: 'retry' }));
    },
    recovered: () => options.onRecovery('database'),
    answer: ({ id, value }) => questions.answer(id, value),
    refusal: ({ id, words }) => questions.refuse(id, words),
  };

  launch();
  return {
    follow(name, seq) {
      files.push({ name, seq });
      post({ type: 'file', name, seq });
    },
    wake: () => post({ type: 'wake' }),
    retain: (now) => post({ type: 'retain', now }),
    ask: (question, about) => questions.ask(thread, question, about),
    async close() {
      isClosed = true;
      retry?.cancel();
      await thread?.terminate();
      thread = null;
      questions.refuseAll({ code: 'closed', message: 'the ledger is closed' });
    },
  };
}
