import { describe, expect, it } from 'vitest';
import { makeRequest } from '../../../test/kit/health-fixtures.ts';
import { affinityKey, createAffinityMap, tellAffinity } from './affinity.ts';
import type { Candidate, Plan } from './plan.ts';

const NONE = makeRequest().conversation;
const keyOf = (change: Partial<typeof NONE>, client: string | null = 'k') =>
  affinityKey({ conversation: { ...NONE, ...change } }, client);

describe('affinityKey', () => {
  it('believes the first hint that is there', () => {
    const all = { sessionId: 's', promptCacheKey: 'p', previousResponseId: 'r', userId: 'u', prefixHash: 'h' };
    expect(keyOf(all)).toBe(keyOf({ sessionId: 's' }));
    expect(keyOf({ ...all, sessionId: '' })).toBe(keyOf({ promptCacheKey: 'p' }));
    expect(keyOf({ prefixHash: 'h' })).not.toBeNull();
    expect(keyOf({})).toBeNull();
  });

  it('keeps clients and kinds of hints apart', () => {
    const keys = [
      keyOf({ sessionId: 'x' }),
      keyOf({ userId: 'x' }),
      keyOf({ userId: 'x' }, 'other'),
      keyOf({ userId: 'x' }, null),
    ];
    expect(new Set(keys).size).toBe(4);
  });

  it('is bounded, and long hints still differ', () => {
    const long = 'x'.repeat(100_000);
    expect(keyOf({ sessionId: long })?.length).toBeLessThan(400);
    expect(keyOf({ sessionId: long })).not.toBe(keyOf({ sessionId: `${long}y` }));
  });
});

describe('createAffinityMap', () => {
  it('forgets half an hour after the last use', () => {
    const map = createAffinityMap();
    map.set('c', 'p/a#default', 0);
    expect(map.get('c', 29 * 60_000)).toBe('p/a#default');
    expect(map.get('c', 58 * 60_000)).toBe('p/a#default');
    expect(map.get('c', 89 * 60_000)).toBeNull();
  });

  it('drops what was unused longest when it is full, and what has expired', () => {
    const map = createAffinityMap(2, 100);
    map.set('a', '1', 0);
    map.set('b', '2', 1);
    map.get('a', 2);
    map.set('c', '3', 3);
    expect([map.get('a', 4), map.get('b', 4), map.get('c', 4)]).toEqual(['1', null, '3']);
    map.set('d', '4', 1000);
    expect(map.size).toBe(1);
  });
});

describe('tellAffinity', () => {
  const candidate = (id: string, rank: number | null, state = 'ready') =>
    ({ route: { id }, rank, availability: { state }, reason: state }) as unknown as Candidate;
  const told = (first: Candidate, route: string | null) => {
    const plan: Plan = { at: 0, order: [], missing: [], candidates: [first, candidate('q/b#default', 2)] };
    return tellAffinity(plan, route).candidates.map(({ boundBy }) => boundBy ?? null);
  };

  it('names the route that the conversation is on, where it is asked first for that', () => {
    expect(told(candidate('p/a#default', 1), 'p/a#default')).toEqual(['affinity', null]);
    expect(told(candidate('p/a#default', 1), 'q/b#default')).toEqual([null, null]);
    expect(told(candidate('p/a#default', 1), null)).toEqual([null, null]);
    expect(told(candidate('p/a#default', 1, 'slow'), 'p/a#default')).toEqual([null, null]);
    expect(told(candidate('p/a#default', null), 'p/a#default')).toEqual([null, null]);
  });
});
