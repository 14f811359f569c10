import type { StopCause } from '../failure/answer-class.ts';
import type { Onward } from '../failure/failure.ts';
import { nameOfPart } from '../model/capability.ts';
import type { ModelSettings } from '../model/settings.ts';
import type { Candidate, Plan } from '../routing/plan.ts';
import { BACKOFF, backoffMs } from './backoff.ts';
import type { AttemptRecord, RequestLedger } from './ledger.ts';
import { chargedAttempts, isBusy, isLastTarget, pickCandidate, providerOf, targetOf } from './pick.ts';
import { mayReplay } from './replay.ts';

export type NextStep =
  | {
      readonly type: 'send';
      readonly candidate: Candidate;
      readonly why: string;
      /** Counts against `maxAttempts`; the replay after a stale socket does not. */
      readonly charged: boolean;
      readonly freshSocket: boolean;
      readonly withoutState: boolean;
      readonly withoutStreamOptions: boolean;
      /** Parts that the target has refused in this request (`Failure.refusedParts`). */
      readonly withoutParts: readonly string[];
      /** No other target is left: an answer without output is then the answer. */
      readonly last: boolean;
    }
  /** `newRound`: what was tried may be tried again afterwards, `route` (null: none) before all others. */
  | {
      readonly type: 'wait';
      readonly untilAt: number;
      readonly newRound: boolean;
      readonly why: string;
      readonly route: string | null;
    }
  /** An attempt is bound to the answer: relay it. */
  | { readonly type: 'release'; readonly n: number }
  | { readonly type: 'fail'; readonly ending: StopCause }
  | { readonly type: 'done' };

export type StepPolicy = {
  /** Of the virtual model. */
  readonly settings: ModelSettings;
  /** Epoch ms. */
  readonly commitAt: number;
  readonly totalAt: number;
  /** `x-understudy-failover: off`: one attempt and no more. */
  readonly failover: boolean;
  /** What the request runs outside; empty when a repeat is harmless. */
  readonly effects: readonly string[];
  /**
   * State of an issuer that the request leans on. `removable`: some can be taken out of the copy for others. `bound`:
   * some can't, so that only the issuer can serve. Absent: nobody knows of any that is bound.
   */
  readonly state?: { readonly removable: boolean; readonly bound: boolean };
};

export type StepInput = {
  readonly ledger: RequestLedger;
  /** Made from the health of this moment. */
  readonly plan: Plan;
  readonly policy: StepPolicy;
  readonly now: number;
  /** Uniform in [0, 1), the same until the next attempt has ended: a wait must not be drawn anew while it lasts. */
  readonly random: number;
  /** Attempts that started before it belong to an earlier round. */
  readonly roundStartedAt: number;
  /**
   * Routes that could not be had (half-open slot taken, no place under the provider's limit), each with how many attempts
   * the request had made by then: behind the next one they are worth another look, after the others of their tier and
   * before those of later ones.
   */
  readonly busy: ReadonlyMap<string, number>;
  /** The route that the round began by waiting for: whoever waits for it means to ask it. */
  readonly waitedFor: string | null;
};

/**
 * What a request does next. Pure: the same ledger, plan and moment give the same step. It never lets a request exceed
 * its attempts or its deadlines, and it is the only place that decides to send anything again.
 */
export function nextStep(input: StepInput): NextStep {
  const { ledger } = input;
  if (ledger.ended !== null) return { type: 'done' };
  if (ledger.committed !== null) return afterCommit(ledger, ledger.committed);
  const last = ledger.attempts.at(-1) ?? null;
  if (last !== null && last.outcome === null)
    return { type: 'wait', untilAt: deadline(input), newRound: false, route: null, why: 'an attempt is under way' };
  return overdue(input) ?? (last === null ? onward(input, null) : afterFailure(input, last));
}

const afterCommit = (ledger: RequestLedger, n: number): NextStep =>
  ledger.attempts[n - 1]?.outcome === null ? { type: 'release', n } : { type: 'done' };

const deadline = ({ policy }: StepInput): number => Math.min(policy.commitAt, policy.totalAt);

function overdue({ now, policy }: StepInput): NextStep | null {
  if (now >= policy.totalAt) return { type: 'fail', ending: 'timeout_total' };
  return now >= policy.commitAt ? { type: 'fail', ending: 'timeout_commit' } : null;
}

/** An attempt has failed: the rules that end the request, then the repeats of the same target, then the others. */
function afterFailure(input: StepInput, last: AttemptRecord): NextStep {
  const { ledger, policy } = input;
  if (!mayReplay(last, policy.effects, policy.settings.replay)) return { type: 'fail', ending: 'outcome_unknown' };
  const replay = replayStale(input, last);
  if (replay !== null) return replay;
  if (isStop(input, last)) return { type: 'fail', ending: 'stopped' };
  if (isRequestAtFault(ledger)) return { type: 'fail', ending: 'stopped' };
  if (!policy.failover) return { type: 'fail', ending: 'failover_off' };
  if (chargedAttempts(ledger) >= policy.settings.retry.maxAttempts) return { type: 'fail', ending: 'max_attempts' };
  return repeatWithout(input, last) ?? repeatSame(input, last) ?? onward(input, last);
}

function isStop(input: StepInput, last: AttemptRecord): boolean {
  if (last.failure === null) return last.outcome !== 'stale_socket';
  const settings = candidateOf(input, last.route)?.target.settings ?? input.policy.settings;
  if (last.outcome === 'content_policy') return settings.onContentPolicy === 'stop';
  return last.failure.onward === 'stop';
}

/** Two providers that call the same request bad are right about it. */
function isRequestAtFault(ledger: RequestLedger): boolean {
  const byRow = new Map<string, string>();
  return ledger.attempts.some(({ failure, target }) => {
    if (failure?.requestShaped !== true) return false;
    const provider = providerOf(target);
    const earlier = byRow.get(failure.row);
    byRow.set(failure.row, earlier ?? provider);
    return earlier !== undefined && earlier !== provider;
  });
}

const candidateOf = ({ plan }: StepInput, route: string): Candidate | undefined =>
  plan.candidates.find((candidate) => candidate.route.id === route);

const send = (
  candidate: Candidate,
  why: string,
  more: Partial<Extract<NextStep, { type: 'send' }>> = {},
): NextStep => ({
  type: 'send',
  candidate,
  why,
  charged: true,
  freshSocket: false,
  withoutState: false,
  withoutStreamOptions: false,
  withoutParts: [],
  last: false,
  ...more,
});

/**
 * The socket was dead before the request arrived: the same route once more on a fresh one, at no charge. Not into a
 * circuit or a hold of which others were told meanwhile.
 */
function replayStale(input: StepInput, last: AttemptRecord): NextStep | null {
  const candidate = candidateOf(input, last.route);
  if (last.outcome !== 'stale_socket' || candidate === undefined || isBusy(input, last.route)) return null;
  if (candidate.use === 'skip' && !last.trial) return null;
  const isLast = isLastTarget(input, last.target);
  // A trial is one on its second socket too, and needs its place again.
  return send(last.trial ? { ...candidate, use: 'trial' } : candidate, 'replay on a fresh socket', {
    ...takenOut(input, last.route),
    charged: false,
    freshSocket: true,
    last: isLast,
  });
}

type TakenOut = Pick<Extract<NextStep, { type: 'send' }>, 'withoutState' | 'withoutStreamOptions' | 'withoutParts'>;

/**
 * What is left out for a route: state goes to the provider that was asked first, as its issuer by all that is known,
 * and to nobody else; once it was refused, to nobody at all. `stream_options` stay out where they were refused, parts
 * for all routes of the target that refused them.
 */
function takenOut({ ledger }: StepInput, route: string): TakenOut {
  const first = ledger.attempts[0];
  const isOther = first !== undefined && providerOf(first.route) !== providerOf(route);
  const target = targetOf(route);
  return {
    withoutState: isOther || ledger.attempts.some((attempt) => attempt.failure?.onward === 'same_without_state'),
    withoutStreamOptions: ledger.attempts.some(
      (attempt) => attempt.route === route && attempt.failure?.onward === 'same_without_stream_options',
    ),
    withoutParts: partsRefusedBy(ledger.attempts.filter((attempt) => attempt.target === target)),
  };
}

const partsRefusedBy = (attempts: readonly AttemptRecord[]): readonly string[] => [
  ...new Set(attempts.flatMap(({ failure }) => failure?.refusedParts ?? [])),
];

/** What a target may refuse of a request that is then sent to it once more, without that. */
const REFUSED: { readonly [O in Onward]?: (last: AttemptRecord) => string } = {
  same_without_state: () => 'state of another issuer',
  same_without_stream_options: () => 'stream_options',
  same_without_parts: ({ failure }) => (failure?.refusedParts ?? []).map(nameOfPart).join(', '),
};

/** Row 8, a refused `stream_options`, refused parts: the same target once more for each, without what it refused. */
function repeatWithout(input: StepInput, last: AttemptRecord): NextStep | null {
  const onwardWord = last.failure?.onward;
  const what = onwardWord === undefined ? undefined : REFUSED[onwardWord]?.(last);
  if (onwardWord === undefined || what === undefined || !isNews(input.ledger, last, onwardWord)) return null;
  const candidate = candidateOf(input, last.route);
  if (candidate === undefined || candidate.use === 'skip') return null;
  if (onwardWord === 'same_without_state' && input.policy.state?.removable === false) return null;
  if (isBusy(input, last.route)) return null;
  return send(candidate, `again without ${what}`, {
    ...takenOut(input, last.route),
    last: isLastTarget(input, last.target),
  });
}

/** Who refuses once more what was left out for it already means something else. */
function isNews({ attempts }: RequestLedger, last: AttemptRecord, onwardWord: Onward): boolean {
  const earlier = attempts.slice(0, -1).filter((attempt) => attempt.route === last.route);
  if (onwardWord !== 'same_without_parts') return !earlier.some(({ failure }) => failure?.onward === onwardWord);
  const known = partsRefusedBy(earlier);
  return last.failure?.refusedParts?.some((part) => !known.includes(part)) === true;
}

/**
 * `retry.sameTarget`. A told delay is the floor of the backoff, but nobody stands still for a long one while others
 * could serve: above the backoff's own cap only a model that waits for cooldowns waits for it.
 */
function repeatSame(input: StepInput, last: AttemptRecord): NextStep | null {
  const { ledger, policy, now, random } = input;
  const { sameTarget, waitForCooldownMs } = policy.settings.retry;
  if (last.failure?.again !== true || last.endedAt === null) return null;
  const sends = ledger.attempts.filter((attempt) => attempt.route === last.route && isOrdinary(attempt));
  const isLast = isLastTarget(input, last.target);
  const allowed = sameTarget === 'auto' ? (isLast ? 1 : 0) : sameTarget;
  const candidate = candidateOf(input, last.route);
  if (sends.length > allowed || candidate === undefined) return null;
  const pause = backoffMs(sends.length, random, last.failure.toldDelayMs);
  if (pause > Math.max(BACKOFF.capMs, waitForCooldownMs)) return null;
  const at = last.endedAt + pause;
  if (at >= deadline(input) || !isRepeatable(candidate, at) || isBusy(input, last.route)) return null;
  const why = `again after ${last.outcome ?? 'failure'}`;
  if (now < at) return { type: 'wait', untilAt: at, newRound: false, route: null, why };
  return send(candidate, why, { ...takenOut(input, last.route), last: isLast });
}

/**
 * A repeat ends with an open circuit. The hold that its own failure told is waited out by the backoff; one that others
 * have met meanwhile may last longer, and is never sent into.
 */
function isRepeatable({ use, skip, availability }: Candidate, at: number): boolean {
  const { state, until } = availability;
  return use !== 'skip' || (skip === 'skipped_cooldown' && state === 'deferred' && until !== null && until <= at);
}

const isOrdinary = ({ charged, failure }: AttemptRecord): boolean =>
  charged && (failure === null || REFUSED[failure.onward] === undefined);

/** The next route of the round; else a wait that the model allows; else the end. */
function onward(input: StepInput, last: AttemptRecord | null): NextStep {
  const chosen = pickCandidate(input, last);
  const wait = waitFor(input, chosen);
  if (wait !== null) return wait;
  if (chosen === null) return { type: 'fail', ending: 'exhausted' };
  const isLast = isLastTarget(input, chosen.route.target);
  return send(chosen, why(chosen, last), { ...takenOut(input, chosen.route.id), last: isLast });
}

function why(chosen: Candidate, last: AttemptRecord | null): string {
  const kind = chosen.use === 'serve' ? '' : chosen.use === 'trial' ? ' (half-open trial)' : ' (last resort)';
  return last === null ? `first in plan${kind}` : `failover after ${last.outcome ?? 'failure'}${kind}`;
}

/**
 * `waitForCooldown`: with nothing else eligible, for whoever comes back first. `preferSameTarget`: also for a told hold
 * of a target that stands before the one that would be asked.
 */
function waitFor(input: StepInput, chosen: Candidate | null): NextStep | null {
  const { policy, plan, now } = input;
  const { waitForCooldownMs, preferSameTarget } = policy.settings.retry;
  if (waitForCooldownMs === 0 || (chosen !== null && !preferSameTarget)) return null;
  const place = (target: string): number => plan.order.indexOf(target);
  const latest = Math.min(now + waitForCooldownMs, deadline(input) - 1);
  const returns = plan.candidates.filter(({ skip, lacksState, availability, route }) => {
    if ((skip !== 'skipped_cooldown' && skip !== 'skipped_circuit') || lacksState === true) return false;
    if (
      availability.until === null ||
      availability.until <= now ||
      availability.until > latest ||
      isBusy(input, route.id)
    )
      return false;
    return chosen === null || (availability.told && place(route.target) < place(chosen.route.target));
  });
  if (returns.length === 0) return null;
  const soonest = returns.reduce((a, b) => ((a.availability.until ?? 0) <= (b.availability.until ?? 0) ? a : b));
  const untilAt = soonest.availability.until ?? now;
  return {
    type: 'wait',
    untilAt,
    newRound: true,
    route: soonest.route.id,
    why: `waits for ${soonest.route.id}: ${soonest.availability.reason ?? 'held'}`,
  };
}
