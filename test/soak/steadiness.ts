/** A look at the gateway's process from outside. */
export type Sample = {
  /** Share of the run that was over, 0 to 1. */
  readonly at: number;
  readonly rss: number;
  /** Used heap, bytes. */
  readonly heap: number;
  /** Buffers outside the heap, bytes. */
  readonly external: number;
  readonly fds: number;
  /** Longest time for which its loop stood still since the look before, ms. */
  readonly lag: number;
};

export const MEASURES = ['rss', 'heap', 'external', 'fds'] as const;
export type Measure = (typeof MEASURES)[number];

const MIB = 1024 * 1024;

type Rule = {
  /** Which of a quarter's values stands for it, 0 to 1 of them in their order. */
  readonly rank: number;
  /** What the fourth quarter may have more than the third: a share of it, and at least so much. */
  readonly share: number;
  readonly least: number;
};

/**
 * The first half is for warming up: code is compiled, pools and bounded caches fill. Heap and buffers are a saw between two
 * collections, so it is their floor that tells of a leak. RSS follows with the moods of the allocator. A leak of a few
 * hundred bytes a request stands out of these bounds within an hour.
 */
export const TOLERANCE: Readonly<Record<Measure, Rule>> = {
  rss: { rank: 0.5, share: 0.08, least: 16 * MIB },
  heap: { rank: 0.1, share: 0.2, least: 12 * MIB },
  external: { rank: 0.1, share: 0.2, least: 12 * MIB },
  fds: { rank: 0.5, share: 0.1, least: 16 },
};

export type Steadiness = {
  readonly measure: Measure;
  /** What stands for each of the four quarters. */
  readonly quarters: readonly number[];
  /** Null: too few looks to tell. */
  readonly isSteady: boolean | null;
};

/** With fewer looks at a quarter nothing is said of it. */
const LEAST_LOOKS = 5;

/** Whether a run has come to rest in its second half. */
export function judgeSteadiness(samples: readonly Sample[]): readonly Steadiness[] {
  return MEASURES.map((measure) => {
    const { rank, share, least } = TOLERANCE[measure];
    const quarters = inQuarters(samples).map((own) =>
      valueAt(
        own.map((sample) => sample[measure]),
        rank,
      ),
    );
    const [, , third = Number.NaN, fourth = Number.NaN] = quarters;
    const growth = fourth - third;
    const isSteady = Number.isNaN(growth) ? null : growth <= Math.max(share * third, least);
    return { measure, quarters, isSteady };
  });
}

/** The samples of each quarter of a run. */
export const inQuarters = (samples: readonly Sample[]): readonly (readonly Sample[])[] =>
  [0, 1, 2, 3].map((quarter) => samples.filter(({ at }) => Math.min(3, Math.floor(at * 4)) === quarter));

function valueAt(values: readonly number[], rank: number): number {
  if (values.length < LEAST_LOOKS) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(rank * (sorted.length - 1))] ?? Number.NaN;
}
