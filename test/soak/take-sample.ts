import { readdirSync, readFileSync } from 'node:fs';
import type { Soaked } from './start-soaked.ts';
import type { Sample } from './steadiness.ts';

const PAGE_BYTES = 4096;

/** Looks at the process itself and asks it for its heap. `progress`: how much of the run is over, once it has answered. */
export async function takeSample(gateway: Pick<Soaked, 'pid' | 'metrics'>, progress: () => number): Promise<Sample> {
  const page = await gateway.metrics();
  const [, pages] = readFileSync(`/proc/${gateway.pid}/statm`, 'utf8').split(' ');
  return {
    at: progress(),
    rss: Number(pages) * PAGE_BYTES,
    heap: readMetric(page, 'nodejs_heap_size_used_bytes'),
    external: readMetric(page, 'nodejs_external_memory_bytes'),
    lag: readMetric(page, 'nodejs_eventloop_lag_max_seconds') * 1_000,
    fds: readdirSync(`/proc/${gateway.pid}/fd`).length,
  };
}

/** The sum of a metric over its labels; NaN where the page does not have it. */
export function readMetric(page: string, name: string): number {
  const values = page
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0);
}
