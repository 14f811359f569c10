import type { MetricDefinition } from './metrics.ts';

/** One line of the page. `suffix` stands behind the metric's name. */
export type Sample = {
  readonly suffix?: '_bucket' | '_sum' | '_count';
  /** The same object with each page, where there is one: it is then put into text once. */
  readonly labels: Readonly<Record<string, string>>;
  /** Of a bucket: its upper bound. */
  readonly le?: number | '+Inf';
  readonly value: number;
};

/** A metric with what it would say now. */
export type Source = { readonly definition: MetricDefinition; readonly read: () => readonly Sample[] };

/** A value for each label of a metric, in the order of its row. */
type ValuesOf<L extends readonly string[]> = { readonly [I in keyof L]: string };

/** Everything that is counted under one set of label values is one cell, which is found anew at each event. */
export type Cells<L extends readonly string[], C> = Source & { at(...values: ValuesOf<L>): C };

export type CounterCell = { value: number };

export type HistogramCell = {
  /** Not cumulative; the last place is for what lies above all bounds. */
  readonly counts: number[];
  sumMs: number;
};

export function createCounters<const D extends MetricDefinition>(definition: D): Cells<D['labels'], CounterCell> {
  return createCells(
    definition,
    () => ({ value: 0 }),
    ({ value }, labels) => [{ labels, value }],
  );
}

export type Histograms<L extends readonly string[]> = Source & {
  /** What is no number is left out; a span is never negative. */
  observe(spanMs: number, ...values: ValuesOf<L>): void;
};

export function createHistograms<const D extends MetricDefinition>(definition: D): Histograms<D['labels']> {
  const bounds = definition.buckets ?? [];
  const boundsMs = bounds.map((bound) => bound * 1000);
  const cells = createCells<D, HistogramCell>(
    definition,
    () => ({ counts: Array.from({ length: bounds.length + 1 }, () => 0), sumMs: 0 }),
    (cell, labels) => samplesOf(cell, labels, bounds),
  );
  return {
    definition,
    read: cells.read,
    observe(spanMs, ...values) {
      if (!Number.isFinite(spanMs)) return;
      const span = Math.max(0, spanMs);
      const cell = cells.at(...values);
      let place = 0;
      while (place < boundsMs.length && span > (boundsMs[place] ?? 0)) place++;
      cell.counts[place] = (cell.counts[place] ?? 0) + 1;
      cell.sumMs += span;
    },
  };
}

function samplesOf(
  { counts, sumMs }: HistogramCell,
  labels: Readonly<Record<string, string>>,
  bounds: readonly number[],
): readonly Sample[] {
  let count = 0;
  const buckets = [...bounds, '+Inf' as const].map((le, place): Sample => {
    count += counts[place] ?? 0;
    return { suffix: '_bucket', labels, le, value: count };
  });
  // Sums of fractions have tails that mean nothing.
  const sum = Math.round(sumMs * 1000) / 1_000_000;
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
}

type Branch<C> = { readonly branches: Map<string, Branch<C>>; cell: C | null };

/**
 * Cells in a tree of their label values: an event looks up one small map for each label, and makes no text and no
 * object. prom-client's own children build a key for each event, which costs twenty times as much.
 */
function createCells<D extends MetricDefinition, C>(
  definition: D,
  create: () => C,
  read: (cell: C, labels: Readonly<Record<string, string>>) => readonly Sample[],
): Cells<D['labels'], C> {
  const root: Branch<C> = { branches: new Map(), cell: null };
  const all: { readonly labels: Readonly<Record<string, string>>; readonly cell: C }[] = [];
  return {
    definition,
    at(...values) {
      let branch = root;
      for (const value of values) branch = branchOf(branch, value);
      if (branch.cell !== null) return branch.cell;
      const cell = create();
      branch.cell = cell;
      all.push({ cell, labels: Object.fromEntries(definition.labels.map((label, i) => [label, values[i] ?? ''])) });
      return cell;
    },
    read: () => all.flatMap(({ cell, labels }) => read(cell, labels)),
  };
}

function branchOf<C>({ branches }: Branch<C>, value: string): Branch<C> {
  const known = branches.get(value);
  if (known !== undefined) return known;
  const made: Branch<C> = { branches: new Map(), cell: null };
  branches.set(value, made);
  return made;
}
