import { METRICS, metricsOf } from './metrics.ts';
import { type Line, linesOf, type Result, showValue } from './results.ts';
import type { Spread } from './statistics.ts';

const ratio = (spread: Spread | null): string => (spread === null ? '–' : `${spread.median.toFixed(2)} ×`);

/** How far the rounds lie apart, as shares of the median. */
const width = ({ median, least, most }: Spread): string =>
  `${Math.round((least / median - 1) * 100)}…+${Math.round((most / median - 1) * 100)} %`;

/** A result for people: medians, how far the first value spreads, ratios. */
export function printTable(result: Result): string {
  const { workload } = result;
  const told = metricsOf(workload);
  const [first = 'perSecond'] = told;
  const lines = linesOf(result);
  const head = [
    '',
    ...told.flatMap((metric, i) => [
      `${METRICS[metric].label}, ${METRICS[metric].unit}`,
      ...(i === 0 ? ['spread'] : []),
    ]),
    '/ relay',
    '/ nginx',
    'CPU / relay',
  ];
  const rows = lines.map((line) => [
    line.name,
    ...told.flatMap((metric, i) => {
      const spread = line.spreads[metric];
      return [
        spread === undefined ? '–' : showValue(metric, spread.median),
        ...(i === 0 ? [spreadText(line, first)] : []),
      ];
    }),
    ratio(line.toRelay),
    ratio(line.toNginx),
    ratio(line.cpuToRelay),
  ]);
  const problems = lines.flatMap(({ name, problems: found }) => found.map((problem) => `PROBLEM ${name}: ${problem}`));
  return [`${workload.name}: ${workload.what}`, ...align([head, ...rows]), ...problems].join('\n');
}

function spreadText({ spreads }: Line, metric: keyof Line['spreads']): string {
  const spread = spreads[metric];
  return spread === undefined || spread.rounds < 2 ? '–' : width(spread);
}

/** Columns of one width, the first to the left and the others to the right. */
export function align(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((cells) => (cells[i] ?? '').length)));
  return rows.map((cells) =>
    `  ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('   ')}`.trimEnd(),
  );
}
