import { parentPort, workerData } from 'node:worker_threads';
import { MAX_REFUSED } from '../../port/ledger-store.ts';
import type { JournalPosition } from './journal.ts';
import type { FromWriter, Question, Questions, ToWriter, WriterSettings } from './messages.ts';
import { reconcilePart } from './reconcile.ts';
import { wordsOf } from './sqlite-error.ts';
import { countPart } from './usage.ts';
import { createLedgerWriter } from './writer.ts';

/** The thread in which the database is written and read. */
const settings = workerData as WriterSettings;
const port = parentPort;
if (port === null) throw new Error('this file is a thread of the ledger, not a program');

const send = (message: FromWriter): void => port.postMessage(message);

/** The files of our own journal by their names, with their places in it. */
const own = new Map<string, number>();

const writer = createLedgerWriter(settings, {
  onApplied({ ended, violations, damaged, facts, end }, journal) {
    for (const violation of violations) send({ type: 'violation', violation });
    if (damaged > 0) send({ type: 'damaged', journal, lines: damaged });
    const seq = own.get(journal);
    const recorded = seq === undefined ? null : { facts, reached: { seq, offset: end } };
    send({ type: 'applied', ended, recorded });
  },
  onReleased(name) {
    own.delete(name);
    send({ type: 'released', name });
  },
  onOpened: (abandoned) => send({ type: 'opened', abandoned }),
});

type Waiting = { readonly id: number; readonly position: JournalPosition; readonly isLast: boolean };

let waiting: Waiting[] = [];
let isStuck = false;
let isInTrouble = false;
let isScheduled = false;
let isClosed = false;

function schedule(): void {
  if (isScheduled || isStuck || isClosed) return;
  isScheduled = true;
  setImmediate(work);
}

function work(): void {
  isScheduled = false;
  if (isStuck || isClosed) return;
  try {
    const isMore = writer.step();
    if (isMore) schedule();
    else if (isInTrouble) {
      isInTrouble = false;
      send({ type: 'recovered' });
    }
    settle();
  } catch (error) {
    enterTrouble(error);
  }
}

/** Waits for the word to try again; who waits for it is told at once. */
function enterTrouble(error: unknown): void {
  const words = wordsOf(error);
  isStuck = true;
  isInTrouble = true;
  send({ type: 'trouble', words });
  for (const { id } of waiting) send({ type: 'refusal', id, words });
  waiting = [];
}

function settle(): void {
  const reached = waiting.filter(({ position }) => writer.hasReached(position));
  if (reached.length === 0) return;
  waiting = waiting.filter((entry) => !reached.includes(entry));
  for (const { id, isLast } of reached) {
    if (isLast) {
      writer.close(true);
      isClosed = true;
    }
    send({ type: 'answer', id, value: null });
  }
}

function waitFor(id: number, position: JournalPosition, isLast: boolean): void {
  if (isStuck) {
    send({ type: 'refusal', id, words: { code: 'stuck', message: 'the database can not be written' } });
    return;
  }
  waiting.push({ id, position, isLast });
  schedule();
}

const LOOK_UPS: { readonly [Q in Exclude<Question, 'sync' | 'close'>]: (about: Questions[Q]['ask']) => unknown } = {
  list: (query) => writer.queries().list(query),
  get: (id) => writer.queries().get(id),
  reconcile: ({ since, after }) => reconcilePart(writer.queries(), { since, after, boot: settings.owner.boot }),
  usage: (about) => countPart(writer.queries(), about),
  violations: ({ since }) => writer.queries().violations(since, MAX_REFUSED),
};

function answer(id: number, question: Question, about: unknown): void {
  if (question === 'sync' || question === 'close') {
    waitFor(id, about as JournalPosition, question === 'close');
    return;
  }
  try {
    send({ type: 'answer', id, value: LOOK_UPS[question](about as never) });
  } catch (error) {
    send({ type: 'refusal', id, words: wordsOf(error) });
  }
}

const ON_MESSAGE: { readonly [T in ToWriter['type']]: (message: Extract<ToWriter, { type: T }>) => void } = {
  file({ name, seq }) {
    own.set(name, seq);
    writer.follow(name, seq);
    schedule();
  },
  wake: schedule,
  retry() {
    if (!isStuck) return;
    try {
      writer.reopen();
    } catch {
      // The next step says what is wrong.
    }
    isStuck = false;
    schedule();
  },
  retain({ now }) {
    writer.retain(now);
    schedule();
  },
  ask: ({ id, question, about }) => answer(id, question, about),
};

port.on('message', (message: ToWriter) => ON_MESSAGE[message.type](message as never));
schedule();
