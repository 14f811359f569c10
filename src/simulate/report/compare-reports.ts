import type { Reported } from './build-report.ts';
import type { Report } from './report.ts';

export type Difference = {
  readonly what: string;
  readonly here: number | null;
  readonly there: number | null;
  /** Of `there` as seen from `here`. */
  readonly better: boolean | null;
  readonly words: string;
};

export type Comparison = {
  readonly report: Report;
  /** What is other there than here; empty: nothing. */
  readonly differences: readonly Difference[];
  /** First tries of clients that were answered there alone, and here alone. */
  readonly only_there: number;
  readonly only_here: number;
};

type Measure = {
  readonly what: string;
  readonly of: (report: Report) => number | null;
  readonly kind: 'rate' | 'ms' | 'count';
  readonly wants: 'more' | 'less';
  /** "more requests were answered" */
  readonly more: string;
  readonly less: string;
};

const measure = (
  what: string,
  kind: Measure['kind'],
  wants: Measure['wants'],
  of: Measure['of'],
  words: readonly [string, string],
): Measure => ({
  what,
  kind,
  wants,
  of,
  more: words[0],
  less: words[1],
});

const sendsOf = ({ routes }: Report): number => routes.reduce((sum, { sends }) => sum + sends, 0);
const outOf = ({ outages }: Report): number =>
  outages.filter(({ states }) => !states.every((state) => state === 'slow')).length;

const MEASURES: readonly Measure[] = [
  measure('success rate', 'rate', 'more', ({ requests }) => requests.success_rate, [
    'more requests are answered',
    'fewer requests are answered',
  ]),
  measure(
    'turns answered',
    'rate',
    'more',
    ({ requests }) => (requests.client_retries === 0 ? null : requests.turn_success_rate),
    ['more turns of clients end well', 'fewer turns of clients end well'],
  ),
  measure('wait, median', 'ms', 'less', ({ latency }) => latency.whole.p50_ms, [
    'the middle request waits longer',
    'the middle request waits less',
  ]),
  measure('wait, p99', 'ms', 'less', ({ latency }) => latency.whole.p99_ms, [
    'the slowest hundredth waits longer',
    'the slowest hundredth waits less',
  ]),
  measure('added latency, p99', 'ms', 'less', ({ latency }) => latency.added.p99_ms, [
    'more is added for the slowest hundredth',
    'less is added for the slowest hundredth',
  ]),
  measure('sends', 'count', 'less', sendsOf, ['more is sent to providers', 'less is sent to providers']),
  measure('outages', 'count', 'less', outOf, [
    'something is kept from service more often',
    'something is kept from service less often',
  ]),
  measure('tokens for nothing', 'count', 'less', ({ tokens }) => tokens.wasted_output, [
    'more tokens are paid for nothing',
    'fewer tokens are paid for nothing',
  ]),
];

/** What another configuration changes under the same scenario and seed. */
export function compareReports(here: Reported, there: Reported): Comparison {
  const pairs = here.tries.map((isAnswered, i) => [isAnswered, there.tries[i] ?? false] as const);
  return {
    report: there.report,
    differences: MEASURES.flatMap((each) => differenceOf(each, here.report, there.report) ?? []),
    only_there: pairs.filter(([left, right]) => !left && right).length,
    only_here: pairs.filter(([left, right]) => left && !right).length,
  };
}

function differenceOf({ what, of, kind, wants, more, less }: Measure, a: Report, b: Report): Difference | null {
  const [here, there] = [of(a), of(b)];
  if (here === there || here === null || there === null) return null;
  const isMore = there > here;
  const words = `${isMore ? more : less}: ${writeMeasure(kind, there)} instead of ${writeMeasure(kind, here)}`;
  return { what, here, there, better: isMore === (wants === 'more'), words };
}

/** A measure for people. */
export function writeMeasure(kind: Measure['kind'], value: number | null): string {
  if (value === null) return '–';
  if (kind === 'rate') return writeRate(value);
  if (kind === 'count') return String(value);
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** 99.95 %: never rounded up to a hundred, nor down to nothing. */
export function writeRate(rate: number): string {
  const percent = rate * 100;
  const digits = percent > 99 || percent < 1 ? 2 : 1;
  const text = percent.toFixed(digits).replace(/\.?0+$/, '');
  return `${text} %`;
}
