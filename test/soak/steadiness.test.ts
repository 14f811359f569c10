import { describe, expect, it } from 'vitest';
import { judgeSteadiness, type Sample } from './steadiness.ts';

const MIB = 1024 * 1024;

/** A hundred looks at a process whose numbers follow from how much of the run is over. */
const samples = (numbers: (at: number) => Partial<Omit<Sample, 'at'>>): readonly Sample[] =>
  Array.from({ length: 100 }, (_, i) => ({
    at: i / 100,
    rss: 200 * MIB,
    heap: 50 * MIB,
    external: 20 * MIB,
    fds: 300,
    lag: 10,
    ...numbers(i / 100),
  }));

const unsteady = (of: readonly Sample[]): readonly string[] =>
  judgeSteadiness(of).flatMap(({ measure, isSteady }) => (isSteady === true ? [] : [measure]));

describe('steadiness', () => {
  it('lets a run warm up in its first half', () => {
    const warm = samples((at) => ({ rss: Math.min(1, 0.5 + at) * 300 * MIB, fds: Math.min(200, at * 800) }));
    expect(unsteady(warm)).toEqual([]);
  });

  it('bears a few looks at a bad moment', () => {
    expect(unsteady(samples((at) => ({ rss: at > 0.95 ? 900 * MIB : 200 * MIB })))).toEqual([]);
  });

  it('bears the saw of a heap between two collections', () => {
    expect(unsteady(samples((at) => ({ heap: (50 + ((at * 700) % 80) * (0.5 + at)) * MIB })))).toEqual([]);
  });

  it.each([
    ['rss', samples((at) => ({ rss: (200 + at * 100) * MIB }))],
    ['heap', samples((at) => ({ heap: (50 + at * 120) * MIB }))],
    ['external', samples((at) => ({ external: (20 + at * 80) * MIB }))],
    ['fds', samples((at) => ({ fds: 300 + at * 200 }))],
  ])('finds %s that grows to the end', (measure, of) => {
    expect(unsteady(of)).toEqual([measure]);
  });

  it('says nothing of what it has not seen', () => {
    const half = samples(() => ({})).filter(({ at }) => at < 0.76);
    for (const of of [[], half]) {
      expect(judgeSteadiness(of).map(({ isSteady }) => isSteady)).toEqual([null, null, null, null]);
    }
  });
});
