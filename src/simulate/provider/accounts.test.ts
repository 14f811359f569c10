import { describe, expect, it } from 'vitest';
import type { AccountRow } from '../scenario/scenario.ts';
import { type AccountView, createAccounts } from './index.ts';

const row = (change: Partial<AccountRow> = {}): AccountRow => ({
  account: 'a/*',
  perModel: false,
  perMinute: null,
  burst: 1,
  concurrency: null,
  total: null,
  tells: true,
  ...change,
});

const at = (model = 'm', credential = 'one', provider = 'a'): AccountView => ({ provider, model, credential });
const MINUTE = 60_000;

describe('createAccounts', () => {
  it('without a row there is no limit', () => {
    const accounts = createAccounts([row({ account: 'b/one', total: 0 })]);
    expect(accounts.enter(at(), 0).refusal).toBeNull();
    expect(accounts.enter(at('m', 'one', 'b'), 0).refusal).toMatchObject({ status: 402 });
  });

  it('a bucket fills evenly up to its burst, and tells when the next token comes', () => {
    const accounts = createAccounts([row({ perMinute: 6, burst: 2 })]);
    const status = (now: number): unknown => accounts.enter(at(), now).refusal?.status ?? 200;
    expect([0, 0, 0].map(status)).toEqual([200, 200, 429]);
    expect(accounts.enter(at(), 4000).refusal).toMatchObject({ status: 429, retryAfterMs: 6000 });
    expect([9999, 10_000, 10_001].map(status)).toEqual([429, 200, 429]);
    expect([MINUTE, MINUTE, MINUTE].map(status)).toEqual([200, 200, 429]);
  });

  it('does not tell where it does not', () => {
    const accounts = createAccounts([row({ perMinute: 6, burst: 0, tells: false })]);
    expect(accounts.enter(at(), 0).refusal).not.toHaveProperty('retryAfterMs');
  });

  it('counts for the account as a whole, or for each model', () => {
    const whole = createAccounts([row({ perMinute: 1 })]);
    expect([at('m'), at('n'), at('m', 'two')].map((who) => whole.enter(who, 0).refusal?.status)).toEqual([
      undefined,
      429,
      undefined,
    ]);
    const each = createAccounts([row({ perMinute: 1, perModel: true })]);
    expect([at('m'), at('n'), at('m')].map((who) => each.enter(who, 0).refusal?.status)).toEqual([
      undefined,
      undefined,
      429,
    ]);
  });

  it('holds so many at once, until they leave', () => {
    const accounts = createAccounts([row({ concurrency: 2 })]);
    const first = accounts.enter(at(), 0);
    expect(accounts.enter(at(), 1).refusal).toBeNull();
    expect(accounts.enter(at(), 2).refusal).toMatchObject({ status: 429, retryAfterMs: 1000 });
    first.leave(3);
    first.leave(3);
    expect(accounts.enter(at(), 4).refusal).toBeNull();
    expect(accounts.enter(at(), 5).refusal).not.toBeNull();
  });

  it('pays for so many, refused ones not among them', () => {
    const accounts = createAccounts([row({ total: 2, perMinute: 60 })]);
    const statuses = [0, 1, 1000, 2000].map((now) => accounts.enter(at(), now).refusal?.status ?? 200);
    expect(statuses).toEqual([200, 429, 200, 402]);
  });

  it('takes from all rows or from none', () => {
    const accounts = createAccounts([row({ total: 1 }), row({ account: 'a/one', concurrency: 1 })]);
    const [one, two] = [at('m', 'one'), at('m', 'two')];
    expect(accounts.enter(one, 0).refusal).toBeNull();
    expect(accounts.enter(one, 1).refusal?.status).toBe(402);
    expect(accounts.enter(two, 2).refusal).toBeNull();
  });

  it('a peek at a moment that is past finds all as it was', () => {
    const accounts = createAccounts([row({ concurrency: 1, perMinute: 60, burst: 2 })]);
    const ticket = accounts.enter(at(), 1000);
    ticket.leave(1500);
    accounts.enter(at(), 1600).leave(1700);
    accounts.enter(at(), 2000);
    const busy = [999, 1000, 1499, 1500, 1600, 1700, 2000, 9999].map((now) => accounts.peek(at(), now) !== null);
    expect(busy).toEqual([false, true, true, false, true, true, true, true]);
    expect(accounts.peek(at(), 1700)).toMatchObject({ retryAfterMs: 300 });
  });
});
