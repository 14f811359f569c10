import type { Outcome } from './outcome.ts';

export type Result = 'ok' | 'failed';

/**
 * Outcomes that are no failure of the one who was asked; null: nobody can be judged by them. All others are failures.
 */
const RESULTS: { readonly [O in Outcome]?: Result | null } = {
  ok: 'ok',
  ok_truncated: 'ok',
  ok_filtered: 'ok',
  refused: 'ok',
  client_closed: null,
  hedge_lost: null,
  stale_socket: null,
  abandoned: null,
};

export function resultOf(outcome: Outcome): Result | null {
  const result = RESULTS[outcome];
  return result === undefined ? 'failed' : result;
}
