import { describe, expect, it } from 'vitest';
import { createVirtualClock } from './virtual-clock.ts';

describe('createVirtualClock', () => {
  it('fires timers of one moment in the order in which they were set, each at its moment', () => {
    const clock = createVirtualClock(1_000);
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, clock.now()]);
    clock.setTimer(20, note('b'));
    clock.setTimer(10, note('a'));
    clock.setTimer(20, note('c'));
    clock.setTimer(31, note('d'));
    expect(clock.pending).toBe(4);
    expect(clock.nextAt).toBe(1_010);
    clock.advance(30);
    expect(fired).toEqual([
      ['a', 1_010],
      ['b', 1_020],
      ['c', 1_020],
    ]);
    expect(clock.now()).toBe(1_030);
    expect(clock.pending).toBe(1);
  });

  it('fires what a timer sets within the time that passes', () => {
    const clock = createVirtualClock(0);
    const fired: number[] = [];
    const again = () => {
      fired.push(clock.now());
      clock.setTimer(10, again);
    };
    clock.setTimer(10, again);
    clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  it('serves promises between timers', async () => {
    const clock = createVirtualClock(0);
    const seen: string[] = [];
    clock.setTimer(10, () => {
      seen.push('timer');
      void Promise.resolve()
        .then(() => undefined)
        .then(() => seen.push('promise'));
    });
    clock.setTimer(10, () => seen.push('other timer'));
    await clock.advanceAsync(10);
    expect(seen).toEqual(['timer', 'promise', 'other timer']);
  });

  it('steps from timer to timer', async () => {
    const clock = createVirtualClock(0);
    clock.setTimer(500, () => {});
    clock.setTimer(9_000, () => {});
    expect(await clock.step()).toBe(true);
    expect(clock.now()).toBe(500);
    expect(await clock.step()).toBe(true);
    expect(clock.now()).toBe(9_000);
    expect(await clock.step()).toBe(false);
  });
});
