import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { until } from '../e2e/server-kit.ts';
import { judgeLine, watchLog } from './watch-log.ts';
import { CLIENT_KEYS } from './world.ts';

const LINE = '{"event":"request_ended","v":1,"request":"req_1","outcome":"ok"}';

it('has nothing against a line of the log', () => {
  expect(judgeLine(LINE)).toBeNull();
  expect(judgeLine('{"level":"warn","msg":"attempt failed"}')).toBeNull();
});

it.each([
  ['a fault', '{"level":"error","msg":"a fault of the gateway that belongs to no request"}'],
  ['what is no log', 'UnhandledPromiseRejection: boom'],
  ['a line that is cut', LINE.slice(0, -5)],
  ['a key', LINE.replace('req_1', CLIENT_KEYS[0])],
  ['a word of an answer', LINE.replace('req_1', '⟦q1.s1.1:0⟧')],
  ['a prompt', LINE.replace('req_1', 'What is known of q1?')],
])('finds %s', (_name, line) => {
  expect(judgeLine(line)).not.toBeNull();
});

it('counts requests, and what is said on standard error', async () => {
  const err = ['', '  Understudy is listening', '(node:1) MaxListenersExceededWarning: a leak', ''].join('\n');
  const watch = watchLog(Readable.from([`${LINE}\n${LINE}\n`]), Readable.from([err]));
  await until(() => watch.lines() === 2 && watch.problems().count > 0);
  expect(watch.requests()).toBe(2);
  expect(watch.problems().first).toEqual(['standard error: (node:1) MaxListenersExceededWarning: a leak']);
});
