import { expect, it } from 'vitest';
import { makeAttemptOn, makeRoute } from '../../../test/kit/samples.ts';
import { forwardHeaders } from './forward-headers.ts';

const HEADERS = { 'idempotency-key': 'k', 'x-session-id': 's' };

it('a provider gets an idempotency key once', () => {
  expect(forwardHeaders(HEADERS, [], 'a')).toBe(HEADERS);
  const attempts = [makeAttemptOn(makeRoute('a', 'other'))];
  expect(forwardHeaders(HEADERS, attempts, 'a')).toEqual({ 'x-session-id': 's' });
});

it('another provider, of whatever name, knows nothing of it', () => {
  const attempts = [makeAttemptOn(makeRoute('a'))];
  expect(forwardHeaders(HEADERS, attempts, 'b')).toBe(HEADERS);
  expect(forwardHeaders(HEADERS, attempts, 'a2')).toBe(HEADERS);
});

it('without a key nothing is taken out', () => {
  const plain = { 'x-session-id': 's' };
  expect(forwardHeaders(plain, [makeAttemptOn(makeRoute('a'))], 'a')).toBe(plain);
});
