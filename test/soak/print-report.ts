import { problemCount, type SoakReport } from './run-soak.ts';
import { FAULT_KINDS, type FaultKind, injected } from './tally.ts';

const count = (value: number): string => value.toLocaleString('en');
const mib = (bytes: number): string => (Number.isNaN(bytes) ? '?' : `${(bytes / 1024 / 1024).toFixed(0)} MiB`);

/** A report for people: sums, what was injected, what was found, how the process did. */
export function printReport(report: SoakReport): string {
  const { tally, records, seconds, unarrived, logLines, lagMs, problems } = report;
  const { whole, interrupted, failed, left } = tally.results;
  const faults = [...tally.faults].sort(([a], [b]) => (a < b ? -1 : 1));
  const found = Object.entries(tally.problems) as [FaultKind, number][];
  const rows: readonly (readonly [string, string])[] = [
    ['requests', `${count(tally.requests)} in ${seconds.toFixed(0)} s (${(tally.requests / seconds).toFixed(0)}/s)`],
    ['  whole', `${count(whole)}, ${count(tally.rescued)} of them behind a failed send`],
    ['  broken off after output, with an error', count(interrupted)],
    ['  failed at all targets, with an error', count(failed)],
    ['  left by their clients', `${count(left)}, ${count(unarrived)} before the request had arrived`],
    ['sends', count(tally.sends)],
    ['  with a fault', `${count(injected(tally))} (${((injected(tally) / tally.sends) * 100).toFixed(1)} %)`],
    ...faults.map(([name, times]) => [`    ${name}`, count(times)] as const),
    [
      'records',
      `${count(records.records)} with ${count(records.attempts)} attempts, ${count(records.unsent)} never sent`,
    ],
    ['lines of the log', count(logLines)],
    ['longest pause', `gateway by quarters ${lagMs.gateway.join(', ')} ms; providers ${lagMs.providers} ms`],
    ...report.steadiness.map(
      ({ measure, quarters, isSteady }) =>
        [
          `${measure} by quarters`,
          `${quarters.map((value) => (measure === 'fds' && !Number.isNaN(value) ? value : mib(value))).join(', ')}${isSteady === null ? '  too few looks to tell' : isSteady ? '' : '  NOT STEADY'}`,
        ] as const,
    ),
    ...found.map(([kind, times]) => [kind, `${count(times)}${times === 0 ? '' : `  ${FAULT_KINDS[kind]}`}`] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return [
    '',
    ...rows.map(([name, value]) => name.padEnd(width) + value),
    ...tally.first,
    ...problems.map((problem) => `PROBLEM ${problem}`),
    '',
    problemCount(report) === 0 ? 'No fault.' : `${problemCount(report)} faults, seed ${report.options.seed}`,
  ].join('\n');
}
