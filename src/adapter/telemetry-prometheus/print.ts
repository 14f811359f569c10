import { LABELS, METRICS, type MetricDefinition, STATE_CODES } from './metrics.ts';
import { PROCESS_METRICS } from './process-metrics.ts';

/** The tables of the metrics page in Markdown: metrics, labels, states, buckets, and what is told of the process. */
export function printMetrics(): string {
  const metrics: readonly MetricDefinition[] = Object.values(METRICS);
  const histograms = metrics.filter(({ buckets }) => buckets !== undefined);
  return [
    '## Metrics',
    table('metric | type | labels | meaning', metrics.map(metricCells)),
    '### Labels',
    table('label | what it says', pairs(LABELS)),
    '### States',
    'The value of `understudy_scope_state`:',
    table(
      'value | state',
      Object.entries(STATE_CODES).map(([state, value]) => [String(value), code(state)]),
    ),
    '### Buckets',
    table(
      'histogram | upper bounds in seconds',
      histograms.map(({ name, buckets = [] }) => [code(name), buckets.join(', ')]),
    ),
    '### The process',
    'Node.js and the system, under their usual names, measured from the first scrape on:',
    table('metric | meaning', pairs(PROCESS_METRICS)),
  ].join('\n\n');
}

const code = (word: string): string => `\`${word}\``;

const pairs = (meanings: Readonly<Record<string, string>>): readonly (readonly string[])[] =>
  Object.entries(meanings).map(([name, meaning]) => [code(name), meaning]);

const metricCells = ({ name, type, labels, help, isOptional }: MetricDefinition): readonly string[] => [
  code(name),
  type,
  labels.map(code).join(', '),
  isOptional ? `${help} Only with a store that can tell.` : help,
];

function table(head: string, rows: readonly (readonly string[])[]): string {
  const line = head.replace(/[^|]+/g, '---');
  return [`| ${head} |`, `|${line}|`, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}
