import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../test/kit/virtual-clock.ts';
import { createWake } from './wake.ts';

function open() {
  const clock = createVirtualClock(1000);
  const fired: number[] = [];
  return { clock, fired, wake: createWake(clock, (now) => fired.push(now)) };
}

describe('createWake', () => {
  it('one timer for many moments: the soonest', () => {
    const { clock, fired, wake } = open();
    for (const moment of [1500, 1200, 1900, 1200]) wake.by(moment);
    expect(clock.pending).toBe(1);
    clock.advance(2000);
    expect(fired).toEqual([1200]);
  });

  it('can be named anew once it has fired', () => {
    const { clock, fired, wake } = open();
    wake.by(1200);
    clock.advance(200);
    wake.by(1900);
    wake.by(1100);
    clock.advance(1000);
    expect(fired).toEqual([1200, 1200]);
  });

  it('a moment that has passed is now', () => {
    const { clock, fired, wake } = open();
    wake.by(500);
    clock.advance(0);
    expect(fired).toEqual([1000]);
  });

  it('stops for good', () => {
    const { clock, fired, wake } = open();
    wake.by(1200);
    wake.stop();
    wake.by(1100);
    clock.advance(5000);
    expect(fired).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});
