import type { ReadinessReport } from '../../core/readiness/report.ts';
import type { RunTally, TargetTally, ToldRequest } from './run-tally.ts';
import type { VerdictFile } from './verdict-file.ts';

export type SummaryInput = {
  readonly verdict: VerdictFile;
  readonly tally: RunTally;
  readonly report: ReadinessReport;
  /** What the gateway had to say of itself, cleaned. */
  readonly notices: readonly string[];
};

const MOST_ROWS = 50;

/** What happened in a run, for people: Markdown, as CI systems show it. */
export function renderSummary({ verdict, tally, report, notices }: SummaryInput): string {
  const sections = [
    head(verdict),
    section('Readiness', readinessLines(report, verdict)),
    section('What was asked', askedLines(tally, verdict)),
    section('Who served', servedLines(tally)),
    section('What was lost', listLines([...tally.lost.values()], lostRow, LOST_HEAD)),
    section('What failed over, and why', failoverLines(tally)),
    section('Slowest routes', slowestLines(tally)),
    section(
      'What the gateway said',
      notices.map((notice) => `- ${plain(notice)}`),
    ),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

function head({ outcome, component, message, command, duration_ms, exit_code }: VerdictFile): string {
  const verdict = component === null ? outcome : `${outcome}, component \`${component}\``;
  const lines = [
    `- verdict: ${verdict}`,
    `- command: \`${plain(command.name)}\`, ${tellEnd(command, exit_code)}, ${seconds(duration_ms)}`,
  ];
  return ['# understudy run', '', ...lines, ...(message === null ? [] : [`- ${plain(message)}`])].join('\n');
}

function tellEnd({ started, signal }: VerdictFile['command'], code: VerdictFile['exit_code']): string {
  if (!started) return `not started; run ended with ${code}`;
  return signal === null ? `exit code ${code}` : `ended by ${signal}, exit code ${code}`;
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`## ${title}`, '', ...lines].join('\n');

function readinessLines({ models, providers }: ReadinessReport, { readiness }: VerdictFile): readonly string[] {
  const lists = providers.flatMap(({ provider, discovered, error }) =>
    error === undefined && discovered === null
      ? []
      : [
          `- ${plain(provider)}: ${error === undefined ? `${discovered} models listed` : `no list of models (${error})`}`,
        ],
  );
  const waited =
    readiness === null
      ? []
      : [`- waited ${seconds(readiness.waited_ms)} for ${readiness.wanted} of ${plain(readiness.model)}`];
  if (models.length === 0) return [...waited, ...lists];
  const rows = models.map(({ model, candidates, ready, slow, deferred, rejected, postponed, unreached }) =>
    row([plain(model), candidates, ready, slow, deferred, rejected, postponed + unreached]),
  );
  const table = [...headRow(['model', 'routes', 'ready', 'slow', 'deferred', 'rejected', 'not probed']), ...rows];
  return [...waited, ...lists, ...(waited.length + lists.length > 0 ? [''] : []), ...table];
}

function askedLines(tally: RunTally, { command }: VerdictFile): readonly string[] {
  const { requests, served, recovered, left, models, outcomes, probes } = tally;
  if (requests === 0)
    return [`Nothing: the command ${command.started ? 'made no request for a model' : 'was not started'}.`];
  const ends = [...outcomes].toSorted((a, b) => b[1] - a[1]).map(([outcome, count]) => `${outcome} ${count}`);
  const rows = [...models].map(([model, { asked, served: answered, lost, tokens }]) =>
    row([plain(model), asked, answered, lost, tokens.input, tokens.output, tokens.untold]),
  );
  return [
    `${requests} ${requests === 1 ? 'request' : 'requests'}: ${served} served, ${recovered} of them after a failure; ${left} given up by their client. Ends: ${ends.join(', ')}.`,
    '',
    ...headRow(['model', 'asked', 'served', 'lost', 'tokens in', 'tokens out', 'answers that told no tokens']),
    ...rows,
    '',
    `Cost: unknown, since no prices are known. The gateway's own probes (${probes}) are not among the requests.`,
  ];
}

function servedLines({ targets }: RunTally): readonly string[] {
  const rows = [...targets]
    .toSorted((a, b) => b[1].served - a[1].served)
    .map(([target, { attempts, served, failures }]) => row([plain(target), served, attempts, words(failures)]));
  return rows.length === 0 ? [] : [...headRow(['target', 'served', 'attempts', 'failures']), ...cut(rows)];
}

const words = (failures: TargetTally['failures']): string =>
  [...failures].map(([outcome, count]) => `${outcome} ${count}`).join(', ') || '–';

const LOST_HEAD = ['request', 'model', 'outcome', 'status', 'after', 'blamed on', 'attempts'];

const lostRow = (told: ToldRequest): string =>
  row([
    `\`${told.id}\``,
    plain(told.model),
    told.reason === null || told.reason === told.outcome ? told.outcome : `${told.outcome} (${plain(told.reason)})`,
    told.status ?? '–',
    seconds(told.ms),
    told.madeGood ? 'nobody: its client asked again, and was served' : told.blame,
    story(told),
  ]);

function failoverLines({ failovers, failoversBeyond }: RunTally): readonly string[] {
  const lines = listLines(failovers, failoverRow, ['request', 'model', 'after', 'attempts']);
  return failoversBeyond === 0 ? lines : [...lines, '', `${failoversBeyond} more are in requests.jsonl.`];
}

const failoverRow = (told: ToldRequest): string =>
  row([`\`${told.id}\``, plain(told.model), seconds(told.ms), story(told)]);

const story = ({ attempts }: ToldRequest): string => attempts.map(plain).join(' → ') || '–';

function slowestLines({ targets }: RunTally): readonly string[] {
  const rows = [...targets]
    .toSorted((a, b) => b[1].longestMs - a[1].longestMs)
    .slice(0, 10)
    .map(
      ([
        target,
        {
          longestMs,
          firstOutput: { count, sumMs, longestMs: longest },
        },
      ]) =>
        row([
          plain(target),
          seconds(longestMs),
          count === 0 ? '–' : seconds(sumMs / count),
          count === 0 ? '–' : seconds(longest),
        ]),
    );
  if (rows.length === 0) return [];
  return [...headRow(['target', 'longest attempt', 'first output, mean', 'first output, longest']), ...rows];
}

function listLines(
  told: readonly ToldRequest[],
  rowOf: (told: ToldRequest) => string,
  titles: readonly string[],
): readonly string[] {
  return told.length === 0 ? [] : [...headRow(titles), ...cut(told.map(rowOf))];
}

const cut = (rows: readonly string[]): readonly string[] =>
  rows.length <= MOST_ROWS
    ? rows
    : [...rows.slice(0, MOST_ROWS), '', `${rows.length - MOST_ROWS} more are in requests.jsonl.`];

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const headRow = (titles: readonly string[]): readonly string[] => [row(titles), `|${'---|'.repeat(titles.length)}`];

const seconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Names may be a client's: none of them may be read as Markdown, or as HTML. */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[|`<>[\]*_\\]/g, (char) => ESCAPES[char] ?? `\\${char}`);

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', _: '_' };
