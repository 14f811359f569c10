import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/port/clock.ts';

export type ClockUnderTest = {
  readonly clock: Clock;
  /** Lets so much of the clock's time pass. */
  readonly pass: (ms: number) => Promise<void>;
};

export function clockContract(name: string, create: () => ClockUnderTest): void {
  describe(`Clock: ${name}`, () => {
    it('tells epoch milliseconds that never go back', async () => {
      const { clock, pass } = create();
      let last = clock.now();
      expect(last).toBeGreaterThan(Date.UTC(2020, 0));
      for (let n = 0; n < 200; n++) {
        if (n % 50 === 0) await pass(2);
        const now = clock.now();
        expect(now).toBeGreaterThanOrEqual(last);
        last = now;
      }
    });

    it('goes on', async () => {
      const { clock, pass } = create();
      const from = clock.now();
      await pass(20);
      expect(clock.now() - from).toBeGreaterThanOrEqual(19);
    });

    it('fires a timer once, never early and never inside setTimer', async () => {
      const { clock, pass } = create();
      for (const delay of [0, 0.5, 1, 7, 25.5]) {
        const from = clock.now();
        let fired: number[] = [];
        clock.setTimer(delay, () => {
          fired = [...fired, clock.now() - from];
        });
        expect(fired).toEqual([]);
        await pass(delay + 60);
        expect(fired).toHaveLength(1);
        expect(fired[0]).toBeGreaterThanOrEqual(delay);
      }
    });

    it('is not early for a caller who took long before', async () => {
      const { clock, pass } = create();
      const busyUntil = performance.now() + 40;
      while (performance.now() < busyUntil);
      const from = clock.now();
      let waited = 0;
      clock.setTimer(20, () => {
        waited = clock.now() - from;
      });
      await pass(80);
      expect(waited).toBeGreaterThanOrEqual(20);
    });

    it('takes a delay that lies in the past for none', async () => {
      const { clock, pass } = create();
      let fired = 0;
      clock.setTimer(-5, () => {
        fired += 1;
      });
      expect(fired).toBe(0);
      await pass(20);
      expect(fired).toBe(1);
    });

    it('fires in the order in which timers fall due', async () => {
      const { clock, pass } = create();
      const fired: string[] = [];
      clock.setTimer(40, () => fired.push('late'));
      clock.setTimer(5, () => {
        fired.push('early');
        clock.setTimer(5, () => fired.push('nested'));
      });
      await pass(100);
      expect(fired).toEqual(['early', 'nested', 'late']);
    });

    it('does not fire what was cancelled, and cancelling what has fired does nothing', async () => {
      const { clock, pass } = create();
      const fired: string[] = [];
      const kept = clock.setTimer(5, () => fired.push('kept'));
      const cancelled = clock.setTimer(5, () => fired.push('cancelled'));
      cancelled.cancel();
      cancelled.cancel();
      await pass(50);
      kept.cancel();
      expect(fired).toEqual(['kept']);
    });

    it('can cancel a timer from inside another one, and itself', async () => {
      const { clock, pass } = create();
      const fired: string[] = [];
      const second = clock.setTimer(20, () => fired.push('second'));
      const first = clock.setTimer(5, () => {
        fired.push('first');
        second.cancel();
        first.cancel();
      });
      await pass(60);
      expect(fired).toEqual(['first']);
    });

    it('waits for a timer of more than 25 days', async () => {
      const { clock, pass } = create();
      let fired = 0;
      const timer = clock.setTimer(2 ** 31 + 5, () => {
        fired += 1;
      });
      const forever = clock.setTimer(Number.POSITIVE_INFINITY, () => {
        fired += 1;
      });
      await pass(30);
      expect(fired).toBe(0);
      timer.cancel();
      forever.cancel();
    });
  });
}
