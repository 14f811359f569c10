import type { TransportError } from '../../core/failure/signal.ts';
import type { ModelSettings, Timeouts } from '../../core/model/settings.ts';
import type { Candidate } from '../../core/routing/plan.ts';
import type { Truth } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { blockedMs } from './blocked-time.ts';
import { checkCommit } from './commits-late.ts';
import { hadNoClaims, wasCrowded } from './crowds.ts';
import { beginsInCall } from './first-words.ts';
import { type AttemptCase, indexRun, type RequestCase, type RunIndex, settingsOf } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isRepeatOwed } from './owed-repeats.ts';
import { isEligible, planAgain } from './plan-again.ts';
import { isServedOutcome } from './world-words.ts';

/** (c) */
export const noAnswerMissed: Invariant = {
  id: 'c',
  promise:
    'a request fails, or is bound to an answer that has said nothing, only where no other route would have answered in time',
  check: (run) =>
    collect('c', (blame) => {
      const index = indexRun(run);
      for (const each of index.cases) {
        if (isInVain(each) && !mayStop(each)) checkCase(index, each, blame);
        checkCommit(each, blame);
      }
    }),
};

/** Its client waited to the end and has no answer, and not because of an operator. */
function isInVain({ request, ended, served }: RequestCase): boolean {
  if (ended === null || served !== null || request.client.isClosed || ended.reason === 'draining') return false;
  return !isServedOutcome(ended.outcome) && ended.outcome !== 'client_closed';
}

function checkCase(index: RunIndex, each: RequestCase, blame: Blame): void {
  const { id, request, ended, endedHealth, attempts } = each;
  if (ended === null || endedHealth === null) return;
  const leftMs = timeLeft(each, ended.at);
  if (leftMs <= 0) return;
  if (isRepeatOwed(index, each, leftMs)) blame(id, `${ended.outcome}, though the last target would be asked once more`);
  const since = attempts.at(-1)?.ended?.at ?? request.at;
  // A trial that is left to a prober is there all the same for whoever has nothing else.
  for (const candidate of planAgain(each, endedHealth, ended.at, 'anybody')) {
    if (!isUntouched(each, candidate)) continue;
    if (wasCrowded(index, candidate.route.provider, Math.min(since, request.at), ended.at)) continue;
    if (candidate.use !== 'serve' && hadNoClaims(index.run, request.at, ended.at)) continue;
    const truth = shownOf(candidate, index.run.answersOf(candidate.route, request, ended.at));
    if (truth === null || !isInTime(truth, candidate.target.settings.timeouts, request.ask.stream, leftMs)) continue;
    blame(id, `${ended.outcome}, though ${candidate.route.id} would have answered`);
    return;
  }
}

/** Neither it nor another key of its target was asked: what failed may have been the model, or the host. */
const isUntouched = ({ attempts }: RequestCase, candidate: Candidate): boolean =>
  isEligible(candidate) && attempts.every(({ started }) => started.target !== candidate.route.target);

function timeLeft({ request, model }: RequestCase, at: number): number {
  if (model === null) return 0;
  const { commitMs, totalMs } = model.settings.timeouts;
  const mostMs = Math.min(commitMs, totalMs, request.ask.timeoutMs ?? totalMs);
  return request.at + mostMs + blockedMs(request, at) - at;
}

/** Gemini's calls are whole at once: one that comes first may wait for what is behind it. */
const shownOf = ({ route }: Candidate, truth: Truth | null): Truth | null =>
  truth !== null && route.protocol === 'gemini' && beginsInCall(truth)
    ? { ...truth, firstOutputMs: truth.lastsMs }
    : truth;

/** It says something, all of it comes in time, and no clock can run out on the way. */
function isInTime(truth: Truth, timeouts: Timeouts, stream: boolean, leftMs: number): boolean {
  const { text, tools, finish, isWhole, lastsMs, firstOutputMs } = truth;
  const says = text.trim() !== '' || tools.length > 0;
  if (!isWhole || lastsMs === null || firstOutputMs === null || !says || finish === 'filter') return false;
  if (!stream) return lastsMs < Math.min(leftMs, timeouts.wholeMs, timeouts.connectMs);
  const { connectMs, headersMs, firstOutputMs: outputMs, idleMs, progressMs } = timeouts;
  const speaksInTime = firstOutputMs < Math.min(leftMs, connectMs, headersMs, outputMs, idleMs);
  return speaksInTime && lastsMs < leftMs && lastsMs - firstOutputMs < Math.min(idleMs, progressMs, outputMs);
}

/** Whether one of the rules that end a search early may have ended this one, by what its providers did. */
function mayStop(each: RequestCase): boolean {
  const { request, model, attempts } = each;
  const last = attempts.at(-1);
  if (model === null) return true;
  if (last === undefined) return false;
  const { settings } = model;
  const charged = attempts.filter(({ started }) => started.charged).length;
  if (!request.ask.failover || charged >= settings.retry.maxAttempts) return true;
  if (isInDoubt(each, last, settings)) return true;
  if (attempts.some(({ ended }) => rulesOut(ended?.failure?.onward))) return true;
  return isRefusedForGood(each, last, settingsOf(each, last) ?? settings) || areTwoAgreed(attempts);
}

const rulesOut = (onward: string | undefined): boolean => onward === 'next_larger_window' || onward === 'next_capable';

/** Nobody knows what was done, and it must not be done twice. */
function isInDoubt({ request }: RequestCase, { send }: AttemptCase, { replay }: ModelSettings): boolean {
  const acts = request.ask.row.shape.unsafe === true || replay === 'safe';
  return acts && replay !== 'always' && send !== null && send.behaviour.refuses === undefined;
}

/** Statuses that speak of keys, names, limits and load: another target may do better. */
const ELSEWHERE: ReadonlySet<number> = new Set([401, 402, 403, 408, 409, 413, 425, 429]);
const LOCAL: TransportError = 'local';

/** The request is at fault, a policy speaks, or the gateway itself is out of something. */
function isRefusedForGood({ request }: RequestCase, attempt: AttemptCase, settings: ModelSettings): boolean {
  const { send, ended } = attempt;
  if (send === null || send.behaviour.refuses === LOCAL) return true;
  if (ended?.outcome === 'content_policy') return speaksOfPolicy(attempt, settings);
  const { status, error, fault, otherShape = false } = send.behaviour;
  // In a stream such a label is taken for the server's own trouble, whatever was asked for.
  const isStream = request.ask.stream !== otherShape;
  const isSaid = error !== undefined || (fault?.kind === 'error' && !isStream);
  const isClientError = typeof status === 'number' && status >= 400 && status < 500 && !ELSEWHERE.has(status);
  return isClientError || (ended?.outcome === 'bad_request' && isSaid);
}

/** A policy ends the search by the setting of its target, where it is the provider's own word. */
function speaksOfPolicy({ send }: AttemptCase, { onContentPolicy }: ModelSettings): boolean {
  if (onContentPolicy === 'next') return false;
  const { error, finish, fault } = send?.behaviour ?? {};
  return error !== undefined || finish === 'filter' || fault?.kind === 'error';
}

/** Two providers that call one request bad are right about it. */
function areTwoAgreed(attempts: readonly AttemptCase[]): boolean {
  const providers = new Set<string>();
  for (const { ended, send } of attempts) {
    const { fault, error } = send?.behaviour ?? {};
    const isSaid = fault?.kind === 'error' || error !== undefined;
    if (ended?.failure?.requestShaped === true && isSaid && send != null) providers.add(send.route.provider);
  }
  return providers.size > 1;
}
