import type { Run } from '../world/run.ts';
import type { ReadRequest } from './read-outcomes.ts';
import type { ServedTarget, Traffic } from './report.ts';

const BUCKETS = 60;
/** Distances that people count in. */
const STEPS_MS = [
  1, 10, 100, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000,
];

/** Who answered the requests of each stretch of time, by the moment at which they came. */
export function measureTraffic(run: Run, read: readonly ReadRequest[], served: readonly ServedTarget[]): Traffic {
  const lastMs = Math.max(1, ...read.map(({ request }) => request.at - run.startedAt + 1));
  const bucketMs =
    STEPS_MS.find((step) => lastMs / step <= BUCKETS) ?? Math.ceil(lastMs / BUCKETS / 3_600_000) * 3_600_000;
  const places = Math.ceil(lastMs / bucketMs);
  const empty = (): number[] => Array.from({ length: places }, () => 0);
  const counts = new Map(served.map(({ target }) => [target, empty()]));
  const failed = empty();
  for (const { seen, request } of read) {
    const place = Math.floor((request.at - run.startedAt) / bucketMs);
    const series =
      seen === 'whole' ? counts.get(request.ledger.ended?.servedBy ?? '') : seen === 'left' ? undefined : failed;
    if (series !== undefined) series[place] = (series[place] ?? 0) + 1;
  }
  return { bucket_ms: bucketMs, series: [...counts].map(([target, all]) => ({ target, counts: all })), failed };
}
