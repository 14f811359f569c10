import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../test/kit/virtual-clock.ts';
import { createLimiter, type GiveBack } from './limiter.ts';

function open() {
  const clock = createVirtualClock();
  const limiter = createLimiter(clock);
  const got: string[] = [];
  const places = new Map<string, GiveBack>();
  const leave = new Map<string, () => void>();
  const enter = async (name: string, limit: number | null = 1, queueMs = 1000, provider = 'a'): Promise<void> => {
    const place = await limiter.acquire(provider, limit, queueMs, (giveUp) => leave.set(name, giveUp));
    got.push(place === null ? `${name} none` : name);
    if (place !== null) places.set(name, place);
  };
  const settle = () => clock.advanceAsync(0);
  return { clock, enter, got, places, leave, settle };
}

describe('createLimiter', () => {
  it('has a place at once while there is one, and always for a provider without a limit', async () => {
    const { enter, got, clock, settle } = open();
    void enter('one', 2);
    void enter('two', 2);
    void enter('three', null);
    await settle();
    expect(got).toEqual(['one', 'two', 'three']);
    expect(clock.pending).toBe(0);
  });

  it('hands places on in the order of waiting, one for one', async () => {
    const { enter, got, places, settle, clock } = open();
    for (const name of ['one', 'two', 'three']) void enter(name);
    await settle();
    expect(got).toEqual(['one']);
    places.get('one')?.();
    places.get('one')?.();
    await settle();
    expect(got).toEqual(['one', 'two']);
    places.get('two')?.();
    await settle();
    expect(got).toEqual(['one', 'two', 'three']);
    expect(clock.pending).toBe(0);
  });

  it('says no when none came free in time', async () => {
    const { enter, got, clock } = open();
    void enter('one');
    void enter('two', 1, 500);
    await clock.advanceAsync(499);
    expect(got).toEqual(['one']);
    await clock.advanceAsync(1);
    expect(got).toEqual(['one', 'two none']);
  });

  it('who gives up leaves the queue to the others', async () => {
    const { enter, got, places, leave, settle, clock } = open();
    for (const name of ['one', 'two', 'three']) void enter(name);
    await settle();
    leave.get('two')?.();
    leave.get('two')?.();
    await settle();
    places.get('one')?.();
    await settle();
    expect(got).toEqual(['one', 'two none', 'three']);
    leave.get('three')?.();
    places.get('three')?.();
    void enter('four');
    await settle();
    expect(got.at(-1)).toBe('four');
    expect(clock.pending).toBe(0);
  });

  it('providers do not wait for each other', async () => {
    const { enter, got, settle } = open();
    void enter('one', 1, 1000, 'a');
    void enter('two', 1, 1000, 'b');
    await settle();
    expect(got).toEqual(['one', 'two']);
  });

  it('a lowered limit counts for those who wait already', async () => {
    const { enter, got, places, settle } = open();
    void enter('one', 2);
    void enter('two', 2);
    void enter('three', 2);
    void enter('four', 1);
    await settle();
    places.get('one')?.();
    await settle();
    expect(got).toEqual(['one', 'two']);
    places.get('two')?.();
    await settle();
    expect(got).toEqual(['one', 'two', 'three']);
    places.get('three')?.();
    await settle();
    expect(got).toEqual(['one', 'two', 'three', 'four']);
  });

  it('a raised limit lets those in who wait already, at once and before whoever brought it', async () => {
    const { enter, got, places, settle, clock } = open();
    for (const name of ['one', 'two', 'three', 'four']) void enter(name, 1);
    await settle();
    expect(got).toEqual(['one']);
    void enter('five', 3);
    await settle();
    expect(got).toEqual(['one', 'two', 'three']);
    void enter('six', 3);
    places.get('two')?.();
    await settle();
    expect(got).toEqual(['one', 'two', 'three', 'four']);
    places.get('one')?.();
    places.get('three')?.();
    await settle();
    expect(got).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
    expect(clock.pending).toBe(0);
  });

  it('a limit that is gone keeps nobody waiting, and one that comes back counts who is still there', async () => {
    const { enter, got, places, settle, clock } = open();
    for (const name of ['one', 'two', 'three']) void enter(name, 1);
    void enter('four', null);
    await settle();
    expect(got.toSorted()).toEqual(['four', 'one', 'three', 'two']);
    void enter('five', 2);
    places.get('one')?.();
    places.get('two')?.();
    await settle();
    expect(got.at(-1)).toBe('five');
    expect([got.length, clock.pending]).toEqual([5, 0]);
  });

  it('nobody passes who waits, whatever limits come and go', async () => {
    const { enter, got, places, settle } = open();
    const limits = [2, 2, 2, 1, 4, 3, 1, 2, 5];
    for (const [i, limit] of limits.entries()) void enter(String(i), limit);
    await settle();
    for (const [i] of limits.entries()) {
      places.get(String(i))?.();
      await settle();
    }
    expect(got).toEqual(limits.map((_, i) => String(i)));
  });
});
