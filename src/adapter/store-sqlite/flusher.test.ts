import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/kit/virtual-clock.ts';
import { createFlusher } from './flusher.ts';

it('tries again ever more rarely while the disk refuses, and soon after the next trouble', async () => {
  const clock = createVirtualClock(0);
  const disk = { isFull: true };
  const tries: number[] = [];
  const journal = {
    flush() {
      tries.push(clock.now());
      return !disk.isFull;
    },
    pendingBytes: () => 0,
  };
  const flusher = createFlusher({ clock, journal, wake: () => {} });
  const steps = async (from: number, ms: number): Promise<number[]> => {
    tries.length = 0;
    flusher.arm();
    await clock.advanceAsync(ms);
    return tries.map((at) => at - from);
  };
  expect(await steps(0, 10_000)).toEqual([50, 300, 800, 1800, 3800, 7800]);
  disk.isFull = false;
  await clock.advanceAsync(10_000);
  disk.isFull = true;
  expect(await steps(20_000, 1000)).toEqual([50, 300, 800]);
  disk.isFull = false;
  await clock.advanceAsync(10_000);
  expect(await steps(31_000, 1000)).toEqual([50]);
});
