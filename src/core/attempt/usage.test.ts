import { expect, it } from 'vitest';
import { UNKNOWN_USAGE } from '../model/usage.ts';
import type { RequestLedger } from './ledger.ts';
import { requestUsage } from './usage.ts';

const usage = { ...UNKNOWN_USAGE, inputTokens: 3, source: 'reported' } as const;
const ledger = (committed: number | null, ...usages: readonly unknown[]): RequestLedger =>
  ({ committed, attempts: usages.map((each) => ({ usage: each })) }) as unknown as RequestLedger;

it('a request has the usage of the attempt that was delivered, and of no other', () => {
  expect(requestUsage(ledger(2, { ...usage, inputTokens: 99 }, usage))).toEqual(usage);
  expect(requestUsage(ledger(null, usage))).toBeNull();
});

it('what nobody said is unknown, not nothing', () => {
  expect(requestUsage(ledger(1, null))).toEqual(UNKNOWN_USAGE);
});
