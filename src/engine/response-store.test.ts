import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../protocol/json/index.ts';
import { createResponseStore, type Owner, type StoredResponse } from './response-store.ts';
import { type Turn, turnsTo } from './turn.ts';

const LIMITS = { maxBytes: 100_000, keepMs: 1000 };
const CI: Owner = { key: 'ci', session: null };
const OTHER: Owner = { key: 'other', session: null };

const turn = (size: number, parent: Turn | null = null): Turn => ({
  parent,
  input: new Uint8Array(size),
  output: encodeUtf8('{}'),
  by: null,
});
const stored = (size: number, parent: Turn | null = null): StoredResponse => ({
  turn: turn(size, parent),
  response: null,
});

describe('createResponseStore', () => {
  it('gives a response to its key alone, and only to the connection that made it', () => {
    const store = createResponseStore();
    const kept = stored(10);
    store.set(CI, 'r1', kept, LIMITS, 0);
    store.set({ key: 'ci', session: 's1' }, 'r2', kept, LIMITS, 0);
    expect(store.get(CI, 'r1', 1)).toBe(kept);
    expect(store.get(OTHER, 'r1', 1)).toBeNull();
    expect(store.get(CI, 'r2', 1)).toBeNull();
    expect(store.get({ key: 'ci', session: 's2' }, 'r2', 1)).toBeNull();
    expect(store.get({ key: 'ci', session: 's1' }, 'r2', 1)).toBe(kept);
    store.forget('s1');
    expect(store.get({ key: 'ci', session: 's1' }, 'r2', 1)).toBeNull();
  });

  it('leaves a known id with the key that had it first', () => {
    const store = createResponseStore();
    const kept = stored(10);
    store.set(CI, 'r1', kept, LIMITS, 0);
    store.set(OTHER, 'r1', stored(20), LIMITS, 0);
    store.remove(OTHER, 'r1');
    expect(store.get(CI, 'r1', 1)).toBe(kept);
    store.remove(CI, 'r1');
    expect([store.get(CI, 'r1', 1), store.size, store.bytes]).toEqual([null, 0, 0]);
  });

  it('forgets what was not used for as long as it is kept, whoever asks', () => {
    const store = createResponseStore();
    store.set(CI, 'r1', stored(10), LIMITS, 0);
    store.set(OTHER, 'r2', stored(10), LIMITS, 0);
    expect(store.get(CI, 'r1', 999)).not.toBeNull();
    expect(store.get(OTHER, 'r2', 1000)).toBeNull();
    expect(store.get(CI, 'r1', 1998)).not.toBeNull();
    store.set(OTHER, 'r3', stored(10), LIMITS, 3000);
    expect(store.size).toBe(1);
  });

  it('counts what conversations share once, and lets go of it with the last of them', () => {
    const store = createResponseStore();
    const first = stored(10_000);
    store.set(CI, 'r1', first, LIMITS, 0);
    const alone = store.bytes;
    store.set(CI, 'r2', stored(10, first.turn), LIMITS, 0);
    store.set(CI, 'r3', stored(10, first.turn), LIMITS, 0);
    expect(store.bytes).toBeLessThan(alone + 4000);
    store.remove(CI, 'r1');
    expect(store.bytes).toBeGreaterThan(10_000);
    store.remove(CI, 'r2');
    store.remove(CI, 'r3');
    expect(store.bytes).toBe(0);
  });

  it('lets the key that has the most lose what it used least', () => {
    const store = createResponseStore();
    store.set(OTHER, 'small', stored(100), LIMITS, 0);
    for (const id of ['r1', 'r2', 'r3']) store.set(CI, id, stored(30_000), LIMITS, 0);
    store.get(CI, 'r1', 1);
    store.set(CI, 'r4', stored(30_000), LIMITS, 1);
    const left = ['r1', 'r2', 'r3', 'r4'].filter((id) => store.get(CI, id, 1) !== null);
    expect(left).toEqual(['r1', 'r3', 'r4']);
    expect(store.get(OTHER, 'small', 1)).not.toBeNull();
    expect(store.bytes).toBeLessThanOrEqual(LIMITS.maxBytes);
  });

  it('keeps nothing that is larger than all it may hold', () => {
    const store = createResponseStore();
    store.set(CI, 'r1', stored(10), LIMITS, 0);
    store.set(CI, 'r2', stored(200_000), LIMITS, 0);
    expect([store.get(CI, 'r1', 1), store.get(CI, 'r2', 1)]).toEqual([expect.anything(), null]);
  });

  it('reads a long conversation from its start', () => {
    let last: Turn | null = null;
    for (let i = 0; i < 20_000; i++) last = turn(i % 7, last);
    const store = createResponseStore();
    store.set(CI, 'r', { turn: last as Turn, response: null }, { ...LIMITS, maxBytes: 1e9 }, 0);
    expect(turnsTo(last)).toHaveLength(20_000);
    expect(turnsTo(last)[0]?.parent).toBeNull();
    store.remove(CI, 'r');
    expect(store.bytes).toBe(0);
  });
});
