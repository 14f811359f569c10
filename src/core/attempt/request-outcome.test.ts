import { expect, it } from 'vitest';
import { makeAttemptOn, makeRoute } from '../../../test/kit/samples.ts';
import { requestOutcome } from './request-outcome.ts';

const limited = makeAttemptOn(makeRoute('a'), { outcome: 'rate_limited' });
const broken = makeAttemptOn(makeRoute('b'), { outcome: 'server_error' });

it.each([
  ['a deadline stands above what was tried', [limited], 'timeout_commit', 'rate_limited', 'timeout_commit'],
  ['so does an outcome that nobody knows', [limited], 'outcome_unknown', 'server_error', 'outcome_unknown'],
  ['nothing was tried', [], 'exhausted', 'rate_limited', 'rejected'],
  ['the attempt that decided', [limited, broken], 'exhausted', 'rate_limited', 'rate_limited'],
  ['else the last one', [limited, broken], 'exhausted', 'no_target_available', 'server_error'],
] as const)('%s', (_, attempts, why, reason, outcome) => {
  expect(requestOutcome(attempts, why, reason)).toBe(outcome);
});
