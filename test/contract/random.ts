import { describe, expect, it } from 'vitest';
import type { Random } from '../../src/port/random.ts';

export function randomContract(name: string, create: () => Random): void {
  describe(`Random: ${name}`, () => {
    const draw = (count: number) => {
      const random = create();
      return Array.from({ length: count }, () => random.next());
    };

    it('stays in [0, 1)', () => {
      expect(draw(10_000).every((value) => value >= 0 && value < 1)).toBe(true);
    });

    it('is spread evenly', () => {
      const buckets = Array.from({ length: 10 }, () => 0);
      for (const value of draw(20_000)) buckets[Math.floor(value * 10)] = (buckets[Math.floor(value * 10)] ?? 0) + 1;
      // Six standard deviations from 2,000.
      for (const count of buckets) expect(Math.abs(count - 2_000)).toBeLessThan(260);
    });

    it('does not repeat itself', () => {
      expect(new Set(draw(1_000)).size).toBeGreaterThan(990);
    });
  });
}
