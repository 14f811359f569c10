import type { Deadline } from '../../core/failure/outcome.ts';
import type { Timeouts } from '../../core/model/settings.ts';
import type { Run } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { blockedMs, longestBlockMs } from './blocked-time.ts';
import {
  type AttemptCase,
  HAIR_MS,
  indexRun,
  millis,
  type ProbeCase,
  type RequestCase,
  settingsOf,
  TICK_MS,
} from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { slackMs } from './slack.ts';

/** (d) */
export const deadlines: Invariant = {
  id: 'd',
  promise: 'no request outlives its deadline, and no attempt its clocks, by more than a tick',
  check: (run) =>
    collect('d', (blame) => {
      const { cases, probes } = indexRun(run);
      for (const each of probes) checkProbe(run, each, blame);
      for (const each of cases) {
        checkRequest(each, blame);
        checkStall(run, each, blame);
        for (const attempt of each.attempts) checkAttempt(each, attempt, blame);
      }
    }),
};

const LATE_MS = TICK_MS + HAIR_MS;

function checkRequest({ id, request, model, ended, served }: RequestCase, blame: Blame): void {
  if (model === null || ended === null) return;
  const { timeouts } = model.settings;
  const totalMs = Math.min(timeouts.totalMs, request.ask.timeoutMs ?? timeouts.totalMs);
  const until = (at: number): number => at - request.at - blockedMs(request, at);
  const tookMs = until(ended.at);
  if (tookMs > totalMs + LATE_MS) blame(id, `it took ${millis(tookMs)}, and ${millis(totalMs)} are its limit`);
  const openMs = until(served?.committed?.at ?? ended.at);
  if (openMs > timeouts.commitMs + LATE_MS) {
    blame(id, `it was undecided for ${millis(openMs)}, and ${millis(timeouts.commitMs)} are the limit`);
  }
  if (saysUp(ended, 'timeout_total') && tookMs < totalMs - LATE_MS) {
    blame(id, `its time of ${millis(totalMs)} is called up behind ${millis(tookMs)}`);
  }
  if (saysUp(ended, 'timeout_commit')) {
    if (served !== null) blame(id, 'the time for a commit is called up behind it');
    if (tookMs < timeouts.commitMs - LATE_MS)
      blame(id, `its time for a commit of ${millis(timeouts.commitMs)} is called up behind ${millis(tookMs)}`);
  }
}

/** Behind its first output a probe has so long for the rest, and so long for all else. */
const REST_MS = 30_000;

function checkProbe(run: Run, { id, probe, ended, attempts }: ProbeCase, blame: Blame): void {
  const waitMs = slackMs(run, probe.route.provider);
  const mostMs = probe.limitMs + 2 * REST_MS + waitMs;
  const tookMs = (ended?.at ?? probe.at) - probe.at;
  if (tookMs > mostMs + LATE_MS) blame(id, `a probe took ${millis(tookMs)}, and ${millis(mostMs)} are its limit`);
  for (const { started, committed, ended: end } of attempts) {
    const undecidedMs = (committed?.at ?? end?.at ?? started.at) - started.at;
    if (undecidedMs > probe.limitMs + REST_MS + LATE_MS)
      blame(id, `a probe was waited for ${millis(undecidedMs)}, not ${millis(probe.limitMs)}`);
  }
}

/** Its end names the deadline, whatever else it is called. */
const saysUp = ({ outcome, reason }: NonNullable<RequestCase['ended']>, deadline: Deadline): boolean =>
  outcome === deadline || reason === deadline;

/** A client that still listens is given up only behind so long without reading. */
function checkStall(run: Run, { id, request, ended }: RequestCase, blame: Blame): void {
  if (ended?.outcome !== 'client_closed' || request.client.isClosed) return;
  const { clientStallMs } = run.config.server;
  const stallMs = longestBlockMs(request, ended.at);
  if (stallMs < clientStallMs - LATE_MS)
    blame(id, `its client is given up behind ${millis(stallMs)} of ${millis(clientStallMs)} without reading`);
}

/** The clock of each word. */
const CLOCKS: Readonly<Record<string, keyof Timeouts>> = {
  timeout_connect: 'connectMs',
  timeout_headers: 'headersMs',
  timeout_first_output: 'firstOutputMs',
  timeout_idle: 'idleMs',
  timeout_progress: 'progressMs',
  timeout_whole: 'wholeMs',
};

function checkAttempt(each: RequestCase, attempt: AttemptCase, blame: Blame): void {
  const timeouts = settingsOf(each, attempt)?.timeouts;
  const { n, started, ended, committed } = attempt;
  if (timeouts === undefined || ended === null) return;
  const { id, request } = each;
  const lasted = (at: number): number => at - started.at - (blockedMs(request, at) - blockedMs(request, started.at));
  const lengthMs = lasted(ended.at);
  const clock = CLOCKS[ended.failure?.outcome ?? ended.outcome];
  if (clock !== undefined && lengthMs < timeouts[clock] - LATE_MS) {
    blame(id, `attempt ${n} ran out of ${clock} behind ${millis(lengthMs)}`);
  }
  const limitMs = longest(each, attempt, timeouts);
  const undecidedMs = lasted(committed?.at ?? ended.at);
  if (undecidedMs > limitMs + LATE_MS)
    blame(id, `attempt ${n} was waited for ${millis(undecidedMs)}, not ${millis(limitMs)}`);
}

/** How long an attempt may stay undecided, by what its provider did. */
function longest({ request }: RequestCase, { send }: AttemptCase, timeouts: Timeouts): number {
  const connectMs = send?.behaviour.connectMs ?? timeouts.connectMs;
  if (send !== null && send.behaviour.connectMs === null) return timeouts.connectMs;
  const isStream = request.ask.stream;
  const untilSent = Math.min(send?.behaviour.connectMs === undefined ? 0 : connectMs, timeouts.connectMs);
  if (!isStream) return untilSent + timeouts.wholeMs;
  const hasHead = send !== null && send.headAt !== null;
  return untilSent + (hasHead ? timeouts.firstOutputMs : Math.min(timeouts.headersMs, timeouts.firstOutputMs));
}
