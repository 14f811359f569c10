import type { Report } from './report.ts';
import { MOST_COLOURS } from './svg.ts';

/** What is drawn above each other: a target, those that have no colour of their own, or the failures. */
export type Layer = { readonly name: string; readonly mark: string; readonly counts: readonly number[] };

/**
 * Who answers first stands lowest, so that a target has its colour whatever the faults make of the rest; failures lie on
 * top. What is nowhere is left out.
 */
export function layersOf({ traffic }: Report): readonly Layer[] {
  const { series, failed } = traffic;
  const isMany = series.length > MOST_COLOURS;
  const named = isMany ? series.slice(0, MOST_COLOURS - 1) : series;
  const others = isMany ? series.slice(MOST_COLOURS - 1) : [];
  const inOrder = named.toSorted((a, b) => firstOf(a.counts) - firstOf(b.counts));
  return [
    ...inOrder.map(({ target, counts }, i) => ({ name: target, mark: `s${i}`, counts })),
    ...(isMany
      ? [{ name: `${others.length} others`, mark: `s${MOST_COLOURS - 1}`, counts: addUp(others, failed.length) }]
      : []),
    { name: 'failed', mark: 'failed', counts: failed },
  ].filter(({ counts }) => sum(counts) > 0);
}

const firstOf = (counts: readonly number[]): number => counts.findIndex((count) => count > 0);

const addUp = (series: readonly { readonly counts: readonly number[] }[], places: number): readonly number[] =>
  Array.from({ length: places }, (_, i) => sum(series.map(({ counts }) => counts[i] ?? 0)));

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
