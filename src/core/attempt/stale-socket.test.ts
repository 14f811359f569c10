import { expect, it } from 'vitest';
import { isStaleSocket } from './stale-socket.ts';

const LOST = { error: 'reset', isReused: true, wantsFresh: false, phase: 'sent' } as const;

it.each([
  ['a kept socket that is reset before any byte', {}, true],
  ['or closed', { error: 'closed' }, true],
  ['not one that broke the protocol', { error: 'bad_http' }, false],
  ['not a new one', { isReused: false }, false],
  ['not where a new one was asked for, whatever came', { wantsFresh: true }, false],
  ['not before the request was sent', { phase: 'connecting' }, false],
  ['not behind the head', { phase: 'preflight' }, false],
] as const)('%s', (_, change, stale) => {
  expect(isStaleSocket({ ...LOST, ...change })).toBe(stale);
});
