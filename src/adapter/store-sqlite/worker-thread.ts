import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromWriter, ToWriter, WriterSettings } from './messages.ts';

/** The writer's thread as its owner sees it. */
export interface WriterThread {
  post(message: ToWriter): void;
  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void;
  terminate(): Promise<void>;
}

export type ThreadEvents = {
  readonly onMessage: (message: FromWriter) => void;
  /** It ended though nobody told it to. */
  readonly onDeath: (error: unknown) => void;
};

export type StartThread = (settings: WriterSettings, events: ThreadEvents) => WriterThread;

export const startWriterThread: StartThread = (settings, { onMessage, onDeath }) => {
  // Beside this file, and like it in source or built.
  const worker = new Worker(new URL(`./worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: settings,
    name: 'ledger',
    // Flags of the process are its own affair; the note that SQLite's interface may change is not for operators.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: compileCache(),
  });
  let isOver = false;
  const die = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    onDeath(error);
  };
  worker.on('message', onMessage);
  worker.on('error', die);
  worker.on('exit', (code) => die(new Error(`the thread ended with code ${code}`)));
  worker.unref();
  return {
    // A thread has no origin to target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    post: (message) => worker.postMessage(message),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    async terminate() {
      isOver = true;
      await worker.terminate();
    },
  };
};

/** A thread inherits no cache of compiled sources, and without one it spends most of its start on erasing types. */
function compileCache(): NodeJS.ProcessEnv {
  // What it names is the part of this Node version; a thread looks for its own in the folder of all.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
