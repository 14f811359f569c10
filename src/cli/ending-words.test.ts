import { expect, it } from 'vitest';
import type { RequestView } from '../management/contract.ts';
import { servedBy, tellReason } from './ending-words.ts';

const attempt = (outcome: string, reason: string | null, n = 1) => ({ n, target: `t/${n}`, outcome, reason });
const ended = (outcome: string, reason: string | null, ...attempts: readonly object[]): RequestView =>
  ({ outcome, reason, attempts }) as unknown as RequestView;

it.each<[RequestView, string | null]>([
  [ended('ok', 'anything'), null],
  [ended('rejected', 'model_gone'), 'nobody could be asked'],
  [ended('client_closed', 'the client closed the connection'), 'the client closed the connection'],
  [
    ended('connect_error', 'connect_error', attempt('connect_error', 'refused'), attempt('connect_error', 'reset', 2)),
    'attempt 2, at t/2, ended with: reset',
  ],
  [ended('overloaded', 'overloaded', attempt('overloaded', null)), null],
  [ended('interrupted', 'internal_error', attempt('interrupted', 'x')), 'of a fault of the gateway: its log has more'],
  [ended('interrupted', 'timeout_idle', attempt('interrupted', 'x')), 'timeout idle'],
  [ended('rate_limited', 'rate_limited'), 'nobody could be asked'],
  [ended('unsupported_capability', 'skipped_capability'), 'no target can do what it needs'],
])('because: %j', (request, words) => {
  expect(tellReason(request)).toBe(words);
});

it('names the target with what it had to do with the end', () => {
  expect(servedBy(ended('ok', null))).toBe(' by ');
  expect(servedBy(ended('client_closed', null))).toContain('while');
  expect(servedBy(ended('interrupted', null))).toContain('first words');
});
