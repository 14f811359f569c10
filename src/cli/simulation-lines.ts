import { type ClientOutcome, type Outage, type Percentiles, type Report, writeRate } from '../simulate/report/index.ts';
import { proseOut } from './prose.ts';
import { type Column, renderTable } from './table.ts';
import type { Terminal } from './terminal.ts';
import { countOf, formatDuration, styleOf } from './words.ts';

/** What came of a simulation, for people. */
export function renderSimulation(terminal: Terminal, report: Report): string {
  const parts = [
    renderHead(terminal, report),
    renderRates(terminal, report),
    renderServed(terminal, report),
    renderClients(terminal, report),
    renderLatency(terminal, report),
    renderRoutes(terminal, report),
    renderProbes(terminal, report),
    renderOutages(terminal, report),
    renderRest(terminal, report),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

export const titleOf = (terminal: Terminal, text: string, aside = ''): string =>
  `${terminal.paint('bold', text)}${aside === '' ? '' : terminal.paint('dim', ` ${aside}`)}`;

/** With commas, as large numbers are read. */
export const writeCount = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

function renderHead(terminal: Terminal, { requests, lasted_ms: lastedMs, seed, complete }: Report): string {
  const again = requests.client_retries === 0 ? '' : `, ${writeCount(requests.client_retries)} of them asked again`;
  const what = `${writeCount(requests.total)} ${requests.total === 1 ? 'request' : 'requests'}${again} · ${formatSpan(lastedMs)} of virtual time · seed ${seed}`;
  const early = complete
    ? ''
    : `\n${terminal.paint('yellow', 'ended early, at the bound of time or requests: what was under way counts as failed')}`;
  return `${proseOut(terminal, `${what}${terminal.paint('dim', ' · nothing was sent')}`)}${early}`;
}

/** 10 m, 1 h 05 m, 3.2 s. */
const formatSpan = (ms: number): string =>
  ms % 60_000 === 0 && ms < 3_600_000 ? `${ms / 60_000} m` : formatDuration(ms);

function renderRates(terminal: Terminal, { requests }: Report): string {
  const rows: (readonly [number | null, string])[] = [
    [requests.first_route_rate, 'would be answered by the first route alone'],
    [
      requests.success_rate,
      `are answered: ${writeCount(requests.answered)} of ${writeCount(requests.total - requests.left)}`,
    ],
  ];
  if (requests.client_retries > 0)
    rows.push([requests.turn_success_rate, `of ${writeCount(requests.turns)} turns are, with what clients ask again`]);
  return rows
    .map(([rate, words]) => {
      const text = (rate === null ? '–' : writeRate(rate)).padStart(9);
      return `${terminal.paint(['bold', colourOf(rate)], text)}  ${words}`;
    })
    .join('\n');
}

const colourOf = (rate: number | null): 'green' | 'yellow' | 'red' =>
  rate === null || rate >= 0.999 ? 'green' : rate >= 0.95 ? 'yellow' : 'red';

const BAR = 24;
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

function barOf(share: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(share * BAR * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] ?? '');
}

function renderServed(terminal: Terminal, { served, requests }: Report): string {
  const ended = requests.answered + requests.failed;
  const rows = served.map(({ target, count }) => row(target, count, 'green'));
  const failed = requests.failed === 0 ? [] : [row('nobody', requests.failed, 'red')];
  function row(name: string, count: number, style: 'green' | 'red'): readonly string[] {
    const share = ended === 0 ? 0 : count / ended;
    return [name, writeCount(count), writeRate(share), terminal.paint(style, barOf(share))];
  }
  const columns: readonly Column[] = [
    { title: 'target' },
    { title: 'requests', align: 'right' },
    { title: 'share', align: 'right' },
    { title: '', drop: 1 },
  ];
  return `${titleOf(terminal, 'Who answered')}\n${renderTable(terminal, columns, [...rows, ...failed])}`;
}

const SEEN_WORDS: Readonly<Record<ClientOutcome['seen'], (outcome: ClientOutcome) => string>> = {
  whole: () => 'the whole answer',
  error: ({ status, code }) => `an error: ${[status, code].filter((part) => part !== null).join(' ')}`,
  half: ({ code }) => `half an answer, then an error: ${code ?? 'without a code'}`,
  cut: () => 'an answer without an end',
  nothing: () => 'no answer',
  left: () => 'left before it was over',
};

function renderClients(terminal: Terminal, { clients }: Report): string {
  const wide = Math.max(0, ...clients.map(({ count }) => writeCount(count).length));
  const lines = clients.map((outcome) => {
    const style = outcome.seen === 'whole' ? 'green' : outcome.seen === 'left' ? 'yellow' : 'red';
    return `${writeCount(outcome.count).padStart(wide)}  ${terminal.paint(style, SEEN_WORDS[outcome.seen](outcome))}`;
  });
  return `${titleOf(terminal, 'What clients saw')}\n${lines.join('\n')}`;
}

export function renderLatency(terminal: Terminal, { latency }: Report): string {
  if (latency.whole.count === 0) return '';
  const row = (name: string, { count, p50_ms, p90_ms, p99_ms, max_ms }: Percentiles): readonly string[] => [
    name,
    writeCount(count),
    ...[p50_ms, p90_ms, p99_ms, max_ms].map(formatDuration),
  ];
  const columns: readonly Column[] = [
    { title: 'until the first output', fit: 'cut' },
    ...['requests', 'p50', 'p90', 'p99', 'most'].map((title) => ({ title, align: 'right' as const })),
  ];
  const rows = [
    row('as the client waits', latency.whole),
    row('added to what the provider took', latency.added),
    ...(latency.added_after_failover.count === 0
      ? []
      : [row('added, with more than one send', latency.added_after_failover)]),
  ];
  return `${titleOf(terminal, 'Latency')}\n${renderTable(terminal, columns, rows)}`;
}

function renderRoutes(terminal: Terminal, { routes, attempts }: Report): string {
  if (routes.length === 0) return '';
  const columns: readonly Column[] = [
    { title: 'route' },
    { title: 'sends', align: 'right' },
    { title: 'answered', align: 'right' },
    { title: 'otherwise', fit: 'wrap' },
  ];
  const rows = routes.map(({ route, sends, served, outcomes }) => [
    route,
    writeCount(sends),
    writeCount(served),
    writeOutcomes(
      terminal,
      outcomes.filter(({ outcome }) => outcome !== 'ok'),
    ),
  ]);
  const counts = attempts.map(({ sends, requests }) => `${sends}: ${writeCount(requests)}`).join(' · ');
  return `${titleOf(terminal, 'Sends')}\n${renderTable(terminal, columns, rows)}\n${terminal.paint('dim', 'sends for a request')}  ${counts}`;
}

function writeOutcomes(terminal: Terminal, outcomes: Report['routes'][number]['outcomes']): string {
  const words = outcomes.map(
    ({ outcome, count }) => `${terminal.paint(styleOf(outcome), outcome)} ${writeCount(count)}`,
  );
  return words.join(', ') || terminal.paint('dim', '–');
}

function renderProbes(terminal: Terminal, { probes }: Report): string {
  if (probes.length === 0) return '';
  const columns: readonly Column[] = [
    { title: 'route' },
    { title: 'probes', align: 'right' },
    { title: 'ended as', fit: 'wrap' },
  ];
  const rows = probes.map(({ route, sends, outcomes }) => [
    route,
    writeCount(sends),
    writeOutcomes(terminal, outcomes),
  ]);
  return `${titleOf(terminal, 'Probes')}\n${renderTable(terminal, columns, rows)}`;
}

/** More are for `--json`. */
const MOST_OUTAGES = 16;

function renderOutages(terminal: Terminal, { outages }: Report): string {
  if (outages.length === 0) return '';
  const columns: readonly Column[] = [
    { title: 'what' },
    { title: 'out', align: 'right' },
    { title: 'back', align: 'right' },
    { title: 'for', align: 'right' },
    { title: 'states', drop: 2 },
    { title: 'why', fit: 'wrap', drop: 3 },
  ];
  const rows = outages.slice(0, MOST_OUTAGES).map((outage) => outageRow(terminal, outage));
  const rest = outages.length - rows.length;
  const more = rest === 0 ? '' : `\n${terminal.paint('dim', `and ${countOf(rest, 'time')} more: --json lists all`)}`;
  return `${titleOf(terminal, 'Out of service')}\n${renderTable(terminal, columns, rows)}${more}`;
}

function outageRow(
  terminal: Terminal,
  { id, scope, from_ms: from, back_ms: back, states, reason }: Outage,
): readonly string[] {
  return [
    scope === 'route' ? id : `${id} (${scope})`,
    formatMoment(from),
    back === null ? terminal.paint('red', 'not again') : formatMoment(back),
    back === null ? '–' : formatDuration(back - from),
    states.map((state) => terminal.paint(styleOf(state), state)).join(', '),
    reason ?? '',
  ];
}

/** A moment of virtual time: 0:07.5, 12:00, 1:02:03. */
export function formatMoment(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const tenths = Math.floor((ms % 1000) / 100);
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = `${two(seconds % 60)}${tenths === 0 ? '' : `.${tenths}`}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

function renderRest(terminal: Terminal, { tokens, leftovers }: Report): string {
  const wasted = tokens.wasted_output + tokens.wasted_input;
  const lines = [
    `${terminal.paint('dim', 'tokens')}  ${writeCount(tokens.input)} in, ${writeCount(tokens.output)} out${wasted === 0 ? '' : `; for nothing ${writeCount(tokens.wasted_input)} in, ${writeCount(tokens.wasted_output)} out`}`,
    ...leftovers.slice(0, 5).map((left) => terminal.paint('red', `a mistake of the gateway: ${left}`)),
  ];
  return lines.join('\n');
}
