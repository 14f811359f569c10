import { parentPort } from 'node:worker_threads';
import type { FromTranslator, ToTranslator } from '../adapter/translation-thread/index.ts';
import { createTranslationDesk } from './translation-desk.ts';

/** The thread in which large requests are translated. */
const port = parentPort;
if (port === null) throw new Error('this file is a thread of the gateway, not a program');

const desk = createTranslationDesk();

port.on('message', (message: ToTranslator) => {
  const answer = desk.take(message);
  if (answer !== null) port.postMessage(answer, buffersOf(answer));
});

/** What is smaller may be part of something else, and is copied. */
const MIN_HANDED_OVER = 64 * 1024;

/** A body was made for this answer alone: it is handed over, not copied. */
function buffersOf(answer: FromTranslator): ArrayBuffer[] {
  if (!answer.ok || answer.value === null || typeof answer.value === 'number' || !('body' in answer.value)) return [];
  return answer.value.body.flatMap(({ buffer, length }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === length && length >= MIN_HANDED_OVER ? [buffer] : [],
  );
}
