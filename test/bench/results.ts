import { METRICS, type Measured, type Metric, metricsOf } from './metrics.ts';
import { ratioOf, type Spread, spreadOf } from './statistics.ts';
import type { Workload } from './workloads.ts';

/** What a contestant did in a workload, round by round. */
export type Entry = {
  readonly name: string;
  readonly rounds: readonly Measured[];
  readonly problems: readonly string[];
};

export type Result = { readonly workload: Workload; readonly entries: readonly Entry[] };

/** A contestant's line: spreads of what is told, and how it stands to others in the first of them. */
export type Line = {
  readonly name: string;
  readonly spreads: Readonly<Partial<Record<Metric, Spread>>>;
  /** Within each round; null: one of both is not there. */
  readonly toRelay: Spread | null;
  readonly toNginx: Spread | null;
  /** CPU for the same work: how many times as much as the relay. */
  readonly cpuToRelay: Spread | null;
  readonly problems: readonly string[];
};

const valuesOf = ({ rounds }: Entry, metric: Metric): readonly number[] =>
  rounds.map((measured) => measured[metric] ?? Number.NaN);

/** What is over the provider's own time, in the same round. */
function withAdded(entry: Entry, direct: Entry | undefined): Entry {
  const rounds = entry.rounds.map((measured, round) => {
    const added = (measured.p50 ?? Number.NaN) - (direct?.rounds[round]?.p50 ?? Number.NaN);
    return Number.isNaN(added) || entry === direct ? measured : { ...measured, added };
  });
  return { ...entry, rounds };
}

export function linesOf({ workload, entries }: Result): readonly Line[] {
  const direct = entries.find(({ name }) => name === 'direct');
  const all = entries.map((entry) => (workload.load.kind === 'open' ? withAdded(entry, direct) : entry));
  const told = metricsOf(workload);
  const [first = 'perSecond'] = told;
  const cpu = workload.load.kind === 'held' ? 'cpuPerToken' : 'cpu';
  const compare = (entry: Entry, name: string, metric: Metric): Spread | null => {
    const base = all.find((other) => other.name === name);
    return base === undefined ? null : ratioOf(valuesOf(entry, metric), valuesOf(base, metric));
  };
  return all.map((entry) => ({
    name: entry.name,
    spreads: Object.fromEntries(
      told.flatMap((metric) => {
        const spread = spreadOf(valuesOf(entry, metric));
        return spread === null ? [] : [[metric, spread]];
      }),
    ),
    toRelay: compare(entry, 'relay', first),
    toNginx: compare(entry, 'nginx', first),
    cpuToRelay: told.includes(cpu) ? compare(entry, 'relay', cpu) : null,
    problems: entry.problems,
  }));
}

/** A value as people read it, without its unit. */
export const showValue = (metric: Metric, value: number): string => {
  const { scale, places } = METRICS[metric];
  return (value / scale).toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places });
};
