import { createSystemClock } from '../../adapter/clock-system/index.ts';
import type { ReadinessReport } from '../../core/readiness/report.ts';
import type { RunCourse } from '../../core/readiness/run-verdict.ts';
import { createScrubber, describeFault, faultWords } from '../../core/redact/index.ts';
import { describeRun } from './describe-run.ts';
import type { Evidence } from './evidence.ts';
import { openFolder } from './open-folder.ts';
import { createRecorder } from './recorder.ts';
import { followSignals } from './signals.ts';
import { renderSummary } from './summary.ts';
import { takeCourse } from './take-course.ts';
import type { Run, RunOptions } from './types.ts';

export type RunResult = {
  readonly exitCode: number;
  /** In one line; null: there is nothing to say. */
  readonly message: string | null;
};

/** Runs a command beside a gateway of its own, and leaves what happened. Never rejects. */
export async function runBeside(options: RunOptions): Promise<RunResult> {
  let scrub = (text: string): string => text;
  const folder = openFolder(options, (text) => scrub(text));
  if (!folder.ok) return { exitCode: options.exits.configuration, message: folder.message };
  const { evidence, stateDir, tidy } = folder;
  const run = openRun(options, {
    evidence,
    stateDir,
    hide(secrets) {
      scrub = createScrubber(secrets);
    },
    say: (line) => options.say?.(oneLine(scrub(line))),
  });
  const stopWatching = watchFaults(run);
  evidence.put('verdict.json', describeRun(run, null));
  const course = await takeItsCourse(run);
  await endGateway(run);
  const verdict = describeRun(run, course);
  const report = run.seen.report ?? emptyReport(run);
  run.keepReport(report);
  const { tally, notices } = run.recorder;
  evidence.put('summary.md', renderSummary({ verdict, tally, report, notices }));
  evidence.finish();
  // Last: whoever finds it finds the rest.
  evidence.put('verdict.json', verdict);
  tidy();
  stopWatching();
  run.signals.release();
  return { exitCode: verdict.exit_code ?? options.exits.gateway, message: tell(verdict.message, evidence, scrub) };
}

function tell(message: string | null, evidence: Evidence, scrub: (text: string) => string): string | null {
  const trouble = evidence.trouble();
  const all = [message, trouble === null ? null : `not all of the evidence could be written (${trouble})`];
  const line = oneLine(scrub(all.filter((part) => part !== null).join('; ')));
  return line === '' ? null : line;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

type Place = Pick<Run, 'stateDir' | 'hide' | 'say'> & { readonly evidence: Evidence };

function openRun(options: RunOptions, { evidence, stateDir, hide, say }: Place): Run {
  const clock = createSystemClock();
  const seen: Run['seen'] = {
    running: null,
    model: null,
    readiness: null,
    report: null,
    started: false,
    faults: 0,
  };
  return {
    options,
    clock,
    stateDir,
    startedAt: clock.now(),
    seen,
    hide,
    say,
    recorder: createRecorder(evidence),
    signals: followSignals(clock),
    keepReport(report) {
      seen.report = report;
      evidence.put('readiness.json', report);
    },
  };
}

/** A fault of the gateway must end neither the command nor the evidence. */
function watchFaults(run: Run): () => void {
  const report = (error: unknown): void => countFault(run, error);
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  return () => {
    process.removeListener('uncaughtException', report);
    process.removeListener('unhandledRejection', report);
  };
}

function countFault({ seen, recorder }: Run, error: unknown): void {
  seen.faults++;
  recorder.telemetry.notice('error', `a fault of the gateway: ${faultWords(error)} ${describeFault(error).at}`);
}

async function takeItsCourse(run: Run): Promise<RunCourse> {
  try {
    return await takeCourse(run);
  } catch (error) {
    countFault(run, error);
    return { type: 'refused', component: 'gateway', why: `the gateway can't be started (${faultWords(error)})` };
  }
}

/** What is under way gets its time, and all that happens until then is on record. */
async function endGateway(run: Run): Promise<void> {
  const { running, report } = run.seen;
  if (running === null) return;
  try {
    if (report === null) run.keepReport(running.gateway.prober.report());
    running.stop(true);
    await running.ended;
  } catch (error) {
    countFault(run, error);
  }
}

const emptyReport = ({ clock }: Run): ReadinessReport => ({
  contract: 'understudy-readiness-v1',
  generated_at: new Date(clock.now()).toISOString(),
  models: [],
  providers: [],
});
