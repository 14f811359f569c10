import { constants } from 'node:os';
import { judgeRun, type RunCourse } from '../../core/readiness/run-verdict.ts';
import { nameOf } from './run-child.ts';
import type { Run, RunExits } from './types.ts';
import { lossesOf, messageOf, tellTally, type VerdictFile } from './verdict-file.ts';

/** What is to be said of a run now. `course` null: it is under way, and may be killed before there is another. */
export function describeRun(run: Run, course: RunCourse | null): VerdictFile {
  const { options, seen, signals, recorder, startedAt } = run;
  const now = run.clock.now();
  const contacted = (seen.running?.gateway.server.connections() ?? 0) > 0;
  const losses = lossesOf(recorder.tally, { contacted, faults: seen.faults });
  const verdict = course === null ? null : judgeRun(course, losses);
  return {
    contract: 'understudy-run-v1',
    outcome: verdict?.outcome ?? 'unfinished',
    component: verdict?.component ?? null,
    message: course === null || verdict === null ? null : messageOf(course, verdict, losses),
    exit_code: course === null ? null : exitCodeOf(course, options.exits),
    command: { name: nameOf(options.command), started: seen.started, ...tellEnd(course) },
    forwarded: [...signals.forwarded],
    started_at: new Date(startedAt).toISOString(),
    ended_at: course === null ? null : new Date(now).toISOString(),
    duration_ms: Math.round(now - startedAt),
    model: seen.model,
    readiness: seen.readiness,
    ...tellTally(recorder.tally),
    contacted,
    faults: seen.faults,
  };
}

function tellEnd(course: RunCourse | null): Pick<VerdictFile['command'], 'exit_code' | 'signal'> {
  if (course?.type !== 'ended') return { exit_code: null, signal: null };
  return { exit_code: course.signal === null ? course.code : null, signal: course.signal };
}

/** The command's own code passes through; all others say that it was not the command that ended so. */
export function exitCodeOf(course: RunCourse, exits: RunExits): number {
  switch (course.type) {
    case 'refused':
      return course.component === 'configuration' ? exits.configuration : exits.gateway;
    case 'not_ready':
      return course.misconfigured ? exits.configuration : exits.noCapacity;
    case 'stopped':
      return 128 + (constants.signals[course.signal as NodeJS.Signals] ?? 0);
    case 'no_child':
      return exits.noChild;
    case 'ended':
      return course.code;
  }
}
