import type { Workload } from './workloads.ts';

export type Metric =
  | 'perSecond'
  | 'cpu'
  | 'p50'
  | 'p99'
  | 'added'
  | 'delayP50'
  | 'delayP99'
  | 'tokensPerSecond'
  | 'cpuPerToken'
  | 'cores'
  | 'perStream'
  | 'rss'
  | 'startMs';

/** One measurement. What a workload does not tell is left out. */
export type Measured = Readonly<Partial<Record<Metric, number>>>;

type MetricRow = {
  readonly label: string;
  readonly unit: string;
  readonly isMoreBetter: boolean;
  /** Figures behind the point. */
  readonly places: number;
  /** What a unit is, in what was measured. */
  readonly scale: number;
};

const row = (label: string, unit: string, places: number, scale = 1, isMoreBetter = false): MetricRow => ({
  label,
  unit,
  isMoreBetter,
  places,
  scale,
});

/** Times are measured in microseconds, memory in bytes. */
export const METRICS: Readonly<Record<Metric, MetricRow>> = {
  perSecond: row('requests', '/s', 0, 1, true),
  cpu: row('CPU a request', 'µs', 1),
  p50: row('p50', 'µs', 0),
  p99: row('p99', 'µs', 0),
  added: row('added p50', 'µs', 0),
  delayP50: row('delay of a token p50', 'µs', 0),
  delayP99: row('p99', 'µs', 0),
  tokensPerSecond: row('tokens', '/s', 0, 1, true),
  cpuPerToken: row('CPU a token', 'µs', 1),
  cores: row('CPU', '%', 0, 0.01),
  perStream: row('memory a stream', 'KiB', 1, 1024),
  rss: row('RSS', 'MiB', 0, 1024 * 1024),
  startMs: row('start', 'ms', 0),
};

/** What is told of a workload; the first one is what it is about. */
export function metricsOf({ load, isStream }: Workload): readonly Metric[] {
  switch (load.kind) {
    case 'closed':
      return isStream
        ? ['perSecond', 'cpu', 'cpuPerToken', 'p50', 'p99', 'rss']
        : ['perSecond', 'cpu', 'p50', 'p99', 'rss'];
    case 'open':
      return ['added', 'p50', 'p99', 'cpu'];
    case 'held':
      return ['delayP50', 'delayP99', 'tokensPerSecond', 'cpuPerToken', 'cores', 'perStream', 'rss'];
    case 'start':
      return ['startMs', 'rss'];
  }
}
