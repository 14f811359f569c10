import { type Comparison, type Percentiles, type Report, writeRate } from '../simulate/report/index.ts';
import { titleOf, writeCount } from './simulation-lines.ts';
import { type Column, renderTable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { countOf, formatDuration } from './words.ts';

const rate = (value: number | null): string => (value === null ? '–' : writeRate(value));
const times = ({ p50_ms, p90_ms, p99_ms }: Percentiles): string =>
  [p50_ms, p90_ms, p99_ms].map(formatDuration).join(' · ');

const ROWS: readonly (readonly [string, (report: Report) => string])[] = [
  ['answered', ({ requests }) => rate(requests.success_rate)],
  ['the first route alone', ({ requests }) => rate(requests.first_route_rate)],
  ['failed', ({ requests }) => writeCount(requests.failed)],
  ['asked again by clients', ({ requests }) => writeCount(requests.client_retries)],
  ['waits, p50 · p90 · p99', ({ latency }) => times(latency.whole)],
  ['added, p50 · p90 · p99', ({ latency }) => times(latency.added)],
  ['sends', ({ routes }) => writeCount(routes.reduce((sum, { sends }) => sum + sends, 0))],
  ['times out of service', ({ outages }) => writeCount(outages.length)],
  ['tokens out', ({ tokens }) => writeCount(tokens.output)],
  ['tokens out for nothing', ({ tokens }) => writeCount(tokens.wasted_output)],
];

/** Two configurations under one scenario, side by side, and what is other in words. */
export function renderComparison(terminal: Terminal, here: Report, comparison: Comparison): string {
  const there = comparison.report;
  const targets = [...new Set([...here.served, ...there.served].map(({ target }) => target))];
  const servedBy = (report: Report, target: string): string =>
    writeCount(report.served.find((each) => each.target === target)?.count ?? 0);
  const columns: readonly Column[] = [
    { title: '' },
    { title: nameOf(here, 'this'), align: 'right', fit: 'cut' },
    { title: nameOf(there, 'the other'), align: 'right', fit: 'cut' },
  ];
  const rows = [
    ...ROWS.map(([what, of]) => [what, of(here), of(there)]),
    ...targets.map((target) => [`by ${target}`, servedBy(here, target), servedBy(there, target)]),
  ].map(([what = '', left = '', right = '']) => [what, left, left === right ? terminal.paint('dim', right) : right]);
  return [
    `${titleOf(terminal, 'Compared', 'under the same requests, faults and chance')}\n${renderTable(terminal, columns, rows)}`,
    `${titleOf(terminal, 'With the other configuration')}\n${renderDifferences(terminal, comparison).join('\n')}`,
  ].join('\n\n');
}

const nameOf = ({ config }: Report, otherwise: string): string => config?.split('/').at(-1) ?? otherwise;

function renderDifferences(terminal: Terminal, { differences, only_there, only_here }: Comparison): readonly string[] {
  const mark = (better: boolean | null): string =>
    better === null ? '·' : better ? terminal.paint('green', '+') : terminal.paint('red', '−');
  const gained =
    only_there === 0
      ? []
      : [
          `${mark(true)} ${countOf(only_there, 'request')} that failed is answered`.replace(
            'requests that failed is',
            'requests that failed are',
          ),
        ];
  const lost =
    only_here === 0
      ? []
      : [
          `${mark(false)} ${countOf(only_here, 'request')} that was answered fails`.replace(
            'requests that was answered fails',
            'requests that were answered fail',
          ),
        ];
  const lines = [...gained, ...lost, ...differences.map(({ better, words }) => `${mark(better)} ${words}`)];
  return lines.length === 0 ? [terminal.paint('dim', 'nothing is other')] : lines;
}
