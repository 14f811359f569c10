import type { ReplayExample, ReplayReport } from '../simulate/replay/index.ts';
import { writeRate } from '../simulate/report/index.ts';
import { proseOut } from './prose.ts';
import { titleOf, writeCount } from './simulation-lines.ts';
import { type Column, renderTable } from './table.ts';
import type { Terminal } from './terminal.ts';

type Style = Parameters<Terminal['paint']>[0];

/** What came of a replay, for people. `source`: where the requests are on record. */
export function renderReplay(terminal: Terminal, report: ReplayReport, source: string): string {
  const { replayed, refused, left_out: leftOut, from, until } = report;
  const aside = leftOut === 0 ? '' : ` · ${writeCount(leftOut)} left out`;
  if (replayed + refused.requests === 0) return `No requests on record to replay${aside} (${source}).`;
  const head = `${writeCount(replayed)} ${replayed === 1 ? 'request' : 'requests'} replayed${aside} · ${from} to ${until} · from ${source}`;
  const parts = [
    proseOut(terminal, `${head}${terminal.paint('dim', ' · nothing was sent')}`),
    renderAnswered(terminal, report),
    renderChanges(terminal, report),
    renderExamples(terminal, report),
    renderServed(terminal, report),
    renderSends(terminal, report),
    ...report.leftovers.slice(0, 5).map((left) => terminal.paint('red', `a mistake of the gateway: ${left}`)),
    terminal.paint('dim', proseOut(terminal, CAVEAT)),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const CAVEAT =
  'Providers are taken to do what they did in the nearest attempt on record, five minutes away at most. That the other plan would have loaded them otherwise, and what requests were made of, nobody can know from a ledger.';

function renderAnswered(terminal: Terminal, { answered }: ReplayReport): string {
  const { of, before, after, after_unknown: unknown } = answered;
  if (of === 0) return '';
  const row = (count: number, words: string): string =>
    `${terminal.paint('bold', writeRate(count / of).padStart(9))}  ${words}: ${writeCount(count)} of ${writeCount(of)}`;
  const doubt =
    unknown === 0 ? '' : terminal.paint('yellow', `, ${writeCount(unknown)} of them where nothing is on record`);
  return `${row(before, 'were answered')}\n${row(after, 'would be answered now')}${doubt}`;
}

const CHANGE_WORDS: Readonly<Record<ReplayExample['change'], readonly [Style, string]>> = {
  same_target: ['green', 'the same'],
  other_target: ['green', 'elsewhere'],
  rescued: ['green', 'rescued'],
  lost: ['red', 'lost'],
  failed_both: ['red', 'failed'],
  client_left: ['magenta', 'left'],
  unknown_answered_then: ['yellow', 'unknown'],
  unknown_failed_then: ['yellow', 'unknown'],
};

/** More are for `--json`. */
const EACH = 2;

function renderExamples(terminal: Terminal, { examples }: ReplayReport): string {
  const shown = examples.filter(
    ({ change }, i) => examples.slice(0, i).filter((before) => before.change === change).length < EACH,
  );
  if (shown.length === 0) return '';
  const columns: readonly Column[] = [{ title: 'request' }, { title: '' }, { title: 'then' }, { title: 'now' }];
  const rows = shown.map(({ change, id, before, after }) => {
    const [style, words] = CHANGE_WORDS[change];
    return [id, terminal.paint(style, words), before, after];
  });
  return `${titleOf(terminal, 'Some of them', '(explain ID tells how they went)')}\n${renderTable(terminal, columns, rows)}`;
}

function renderChanges(terminal: Terminal, { changes, refused }: ReplayReport): string {
  const rows: readonly (readonly [number, Style, string])[] = [
    [changes.same_target, 'green', 'answered by the same target'],
    [changes.other_target, 'green', 'answered by another target'],
    [changes.rescued, 'green', 'rescued: failed then, answered now'],
    [changes.lost, 'red', 'lost: answered then, would fail now'],
    [changes.failed_both, 'red', 'failed, and would again'],
    [changes.unknown_answered_then, 'yellow', 'answered then; now sent where nothing is on record'],
    [changes.unknown_failed_then, 'yellow', 'failed then; now sent where nothing is on record'],
    [changes.client_left, 'magenta', 'left by their client'],
    [refused.requests, 'red', `would be refused: no such model (${refused.answered_then} were answered then)`],
  ];
  const shown = rows.filter(([count]) => count > 0);
  const wide = Math.max(0, ...shown.map(([count]) => writeCount(count).length));
  const lines = shown.map(
    ([count, style, words]) => `${writeCount(count).padStart(wide)}  ${terminal.paint(style, words)}`,
  );
  const names = refused.models.slice(0, 8).map(({ model, requests }) => `${model} ${writeCount(requests)}`);
  const told = names.length === 0 ? [] : [`${terminal.paint('dim', 'names that are missing')}  ${names.join(', ')}`];
  return `${titleOf(terminal, 'What would change')}\n${[...lines, ...told].join('\n')}`;
}

function renderServed(terminal: Terminal, { served }: ReplayReport): string {
  if (served.length === 0) return '';
  const columns: readonly Column[] = [
    { title: 'target' },
    { title: 'then', align: 'right' },
    { title: 'now', align: 'right' },
    { title: 'of it unknown', align: 'right' },
  ];
  const rows = served.map(({ target, before, after, after_unknown: unknown }) => [
    target,
    ...[before, after, unknown].map(writeCount),
  ]);
  return `${titleOf(terminal, 'Who answers')}\n${renderTable(terminal, columns, rows)}`;
}

function renderSends(terminal: Terminal, { sends, replayed }: ReplayReport): string {
  if (replayed === 0) return '';
  const each = (count: number): string => (count / replayed).toFixed(2);
  const share = ((sends.unknown_share ?? 0) * 100).toFixed(1);
  return proseOut(
    terminal,
    `${terminal.paint('dim', 'sends')}  then ${writeCount(sends.before)} (${each(sends.before)} a request), now ${writeCount(sends.after)} (${each(sends.after)}); of these ${writeCount(sends.unknown)} (${share} %) without anything on record, taken as good`,
  );
}
