import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { largeRequest } from '../../test/kit/large-request.ts';
import { createSystemClock } from '../adapter/clock-system/index.ts';
import { createThreadPool, type StartTranslator } from '../adapter/translation-thread/index.ts';
import { createTranslationDesk } from './translation-desk.ts';
import { startTranslationThread } from './translation-thread.ts';

/** One that ends with the first thing that it is asked. */
const startDying: StartTranslator = ({ onDeath }) => {
  const words = "require('node:worker_threads').parentPort.once('message', () => process.exit(3))";
  const worker = new Worker(words, { eval: true });
  worker.on('exit', (code) => onDeath(new Error(`the thread ended with code ${code}`)));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin to target.
  return { post: (message) => worker.postMessage(message), terminate: async () => void (await worker.terminate()) };
};

it('a thread that dies fails the request in work alone, and the next one has a new thread', async () => {
  const starts = [startDying, startTranslationThread];
  const start: StartTranslator = (events) => (starts.shift() ?? startTranslationThread)(events);
  const pool = createThreadPool({ clock: createSystemClock(), start });
  const [first, second] = [pool.open(largeRequest()), pool.open(largeRequest())];
  const [lost, served] = await Promise.all([first.findLacks(['gemini']), second.findLacks(['gemini'])]);
  expect(lost).toMatchObject({ ok: false, trouble: 'died' });
  expect(served.ok).toBe(true);
  await pool.close();
});

it('what the thread was told to forget it has no more', () => {
  const desk = createTranslationDesk();
  const ask = { what: 'lacks', to: ['gemini'] } as const;
  expect(desk.take({ type: 'ask', id: 1, request: largeRequest(), ask })?.ok).toBe(true);
  expect(desk.take({ type: 'ask', id: 1, request: null, ask })?.ok).toBe(true);
  expect(desk.take({ type: 'forget', id: 1 })).toBeNull();
  expect(desk.take({ type: 'ask', id: 1, request: null, ask })).toEqual({ ok: false, trouble: 'failed', fault: null });
});
