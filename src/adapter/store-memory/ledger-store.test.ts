import { describe, expect, it } from 'vitest';
import { factsOf, wholeRequest } from '../../../test/kit/facts.ts';
import type { Fact } from '../../core/attempt/ledger.ts';
import type { LedgerStore } from '../../port/ledger-store.ts';
import { createMemoryLedgerStore } from './ledger-store.ts';

function append(store: LedgerStore, facts: readonly Fact[]): void {
  for (const fact of facts) store.append(fact);
}

async function ids(store: LedgerStore): Promise<string[]> {
  return (await store.list({ limit: 1_000 })).data.map(({ id }) => id);
}

describe('createMemoryLedgerStore', () => {
  it('drops the request that ended the longest ago, never one that is under way', async () => {
    const store = createMemoryLedgerStore({ maxRequests: 3 });
    const long = factsOf('long');
    append(store, [long.started(), long.attempt()]);
    for (let n = 1; n <= 5; n++) append(store, wholeRequest(`r${n}`));
    expect(await ids(store)).toEqual(['r5', 'r4', 'long']);
    append(store, [long.attemptEnded(), long.ended()]);
    append(store, wholeRequest('r6'));
    // It began first, but it has only just ended.
    expect(await ids(store)).toEqual(['r6', 'r5', 'long']);
    expect(store.violations()).toBe(0);
    expect(await store.get('r1')).toBeUndefined();
  });

  it('keeps more than it may only while that many are under way', async () => {
    const store = createMemoryLedgerStore({ maxRequests: 2 });
    const many = ['a', 'b', 'c', 'd'].map((id) => factsOf(id));
    append(
      store,
      many.map((facts) => facts.started()),
    );
    expect(await ids(store)).toEqual(['d', 'c', 'b', 'a']);
    append(
      store,
      many.map((facts) => facts.ended({ servedBy: null, status: 403, rejected: true, outcome: 'rejected' })),
    );
    expect(await ids(store)).toEqual(['d', 'c']);
    expect(store.violations()).toBe(0);
  });

  it('pages on over requests that are gone', async () => {
    const store = createMemoryLedgerStore({ maxRequests: 4 });
    for (let n = 1; n <= 4; n++) append(store, wholeRequest(`r${n}`));
    const first = await store.list({ limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(['r4', 'r3']);
    for (let n = 5; n <= 7; n++) append(store, wholeRequest(`r${n}`));
    const second = await store.list({ limit: 2, cursor: first.next ?? '' });
    expect(second).toEqual({ data: [], next: null });
  });

  it("does not know another store's cursor", async () => {
    const [one, other] = [createMemoryLedgerStore(), createMemoryLedgerStore()];
    for (const store of [one, other]) for (let n = 1; n <= 3; n++) append(store, wholeRequest(`r${n}`));
    const { next } = await one.list({ limit: 1 });
    expect(await other.list({ limit: 10, cursor: next ?? '' })).toEqual({ data: [], next: null });
  });

  it('tells of violations as they come', () => {
    const told: [string, string][] = [];
    const store = createMemoryLedgerStore({ onViolation: (violation, fact) => told.push([violation, fact.type]) });
    store.append(factsOf('r1').ended());
    expect(told).toHaveLength(1);
    expect(told[0]?.[1]).toBe('request_ended');
    expect(store.violations()).toBe(1);
  });

  it('never throws, whatever is told of violations', () => {
    const store = createMemoryLedgerStore({
      onViolation: () => {
        throw new Error('full disk');
      },
    });
    expect(() => store.append(factsOf('r1').ended())).not.toThrow();
    expect(store.violations()).toBe(1);
  });

  it('appends as fast when it is full as when it is empty', () => {
    const store = createMemoryLedgerStore({ maxRequests: 20_000 });
    // The oldest stay under way, so that making room must not look at them again and again.
    for (let n = 0; n < 10_000; n++) store.append(factsOf(`open${n}`).started());
    /** CPU time in µs, which other processes do not change. */
    const costOf = (count: number, prefix: string) => {
      const from = process.cpuUsage();
      for (let n = 0; n < count; n++) append(store, wholeRequest(`${prefix}${n}`));
      const { user, system } = process.cpuUsage(from);
      return (user + system) / count;
    };
    costOf(2_000, 'warm');
    const withRoom = costOf(5_000, 'room');
    costOf(10_000, 'fill');
    expect(costOf(5_000, 'full')).toBeLessThan(withRoom * 5 + 50);
  });
});
