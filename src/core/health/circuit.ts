import type { Outcome } from '../failure/outcome.ts';
import type { HealthSettings } from './settings.ts';

/**
 * A circuit is closed while `open` is null. Open, it lets nobody in until `until`, then one trial at a time: whoever
 * wants it claims the slot first. The trial's first output starts a ramp of more claims; a success, or any other
 * definite answer, closes it; a failure opens it again for longer. Ends of attempts that were sent before it opened
 * change nothing.
 */
export type Circuit = {
  readonly failures: readonly CircuitFailure[];
  readonly open: OpenCircuit | null;
};

export type CircuitFailure = {
  readonly at: number;
  /** When it falls out of the window. */
  readonly expiresAt: number;
  readonly weight: number;
  readonly turn: string | null;
  readonly route: string;
  readonly target: string;
  /** No connection came about: no model can be blamed for that. */
  readonly isConnect: boolean;
};

export type OpenCircuit = {
  readonly since: number;
  readonly until: number;
  /** The last failure that counted; when all circuits are open, the oldest one opens early. */
  readonly failedAt: number;
  readonly failedTrials: number;
  readonly cause: Outcome;
  readonly reason: string;
  /** Index into `RAMP`: how many may be in flight. */
  readonly rung: number;
  readonly claims: readonly Claim[];
};

/** A place in a half-open circuit that an attempt has taken and must give back by its end, or else loses. */
export type Claim = {
  readonly route: string;
  readonly at: number;
  readonly expiresAt: number;
  /** Its output has begun. */
  readonly isProved: boolean;
};

/** In flight at most, from the trial on; the rung behind the last is a closed circuit. */
export const RAMP = [1, 2, 4, 8] as const;

const MAX_FAILURES = 64;

export const CLOSED: Circuit = { failures: [], open: null };

/** What an attempt's end tells about a circuit. */
export type CircuitVerdict = {
  readonly route: string;
  readonly startedAt: number;
  readonly at: number;
  /** It held a claim. */
  readonly trial: boolean;
};

export type CountedFailure = CircuitVerdict & {
  readonly target: string;
  readonly weight: number;
  readonly turn: string | null;
  readonly isConnect: boolean;
  readonly cause: Outcome;
  readonly reason: string;
  /** What a trial that fails like this costs its client, ms. */
  readonly costMs: number;
  /** One is enough to open. */
  readonly isDecisive: boolean;
};

type Breaker = HealthSettings['breaker'];

/** `half_open` as soon as the open time has passed, and while a ramp is on. */
export function phaseOf(circuit: Circuit, now: number): 'closed' | 'open' | 'half_open' {
  const { open } = circuit;
  if (open === null) return 'closed';
  return open.rung === 0 && now < open.until ? 'open' : 'half_open';
}

/** Whether a claim could be had; `none` where none is needed. Does not ask whether the open time has passed. */
export function slotOf(circuit: Circuit, now: number): 'none' | 'free' | 'taken' {
  if (circuit.open === null) return 'none';
  return liveClaims(circuit.open, now).length < (RAMP[circuit.open.rung] ?? 1) ? 'free' : 'taken';
}

/** Whether a trial is under way that has not begun to answer. */
export const hasUnproved = ({ open }: Circuit, now: number): boolean =>
  open !== null && liveClaims(open, now).some(({ isProved }) => !isProved);

/** Weighted failures in the window. */
export function weightOf(circuit: Circuit, now: number): number {
  return sum(circuit.failures.filter((failure) => failure.expiresAt > now));
}

/** The circuit with the claim in it; null when the slot is taken. A closed circuit needs no claim. */
export function claimSlot(circuit: Circuit, route: string, now: number, limitMs: number): Circuit | null {
  const slot = slotOf(circuit, now);
  if (circuit.open === null || slot === 'none') return circuit;
  if (slot === 'taken') return null;
  const claim: Claim = { route, at: now, expiresAt: now + limitMs, isProved: false };
  return { ...circuit, open: { ...circuit.open, claims: [...liveClaims(circuit.open, now), claim] } };
}

/** Counts a failure. `isQuorum` says whether the failures in the window are of enough different origins to open. */
export function countFailure(
  circuit: Circuit,
  failure: CountedFailure,
  breaker: Breaker,
  isQuorum: (failures: readonly CircuitFailure[]) => boolean,
): Circuit {
  const { open } = circuit;
  if (open !== null && (!failure.trial || failure.startedAt < open.since)) return circuit;
  const failures = addFailure(circuit.failures, failure, breaker.windowMs);
  if (open !== null) return { failures, open: openFor(failure, open.failedTrials + 1, breaker) };
  const isDue = (failure.isDecisive || sum(failures) >= breaker.failures) && isQuorum(failures);
  return { failures, open: isDue ? openFor(failure, 0, breaker) : null };
}

/**
 * A success. Closed: failures that were over before it was sent no longer count. Open: it closes, unless it was sent
 * before the circuit opened.
 */
export function countSuccess(circuit: Circuit, verdict: CircuitVerdict): Circuit {
  const { open } = circuit;
  if (open === null) {
    const failures = circuit.failures.filter((failure) => failure.at > verdict.startedAt);
    return failures.length === circuit.failures.length ? circuit : { failures, open: null };
  }
  const isFresh = verdict.trial ? verdict.startedAt >= open.since : verdict.startedAt > open.since;
  return isFresh ? CLOSED : circuit;
}

/** A definite answer that is no failure of this circuit: closes it for a trial, means nothing otherwise. */
export function countAnswer(circuit: Circuit, verdict: CircuitVerdict): Circuit {
  return circuit.open !== null && verdict.trial && verdict.startedAt >= circuit.open.since ? CLOSED : circuit;
}

/** The attempt ended without a verdict: its place goes to the next. */
export function releaseSlot(circuit: Circuit, verdict: CircuitVerdict): Circuit {
  const { open } = circuit;
  const claim = verdict.trial ? claimOf(open, verdict) : undefined;
  if (open === null || claim === undefined) return circuit;
  return { ...circuit, open: { ...open, claims: open.claims.filter((other) => other !== claim) } };
}

/** Output has begun: the next rung of the ramp, once per claim. */
export function climbRamp(circuit: Circuit, verdict: CircuitVerdict): Circuit {
  const { open } = circuit;
  const claim = verdict.trial ? claimOf(open, verdict) : undefined;
  if (open === null || claim === undefined || claim.isProved) return circuit;
  const rung = open.rung + 1;
  if (rung >= RAMP.length) return CLOSED;
  const proved: Claim = { ...claim, isProved: true, expiresAt: verdict.at + (claim.expiresAt - claim.at) };
  const claims = open.claims.map((other) => (other === claim ? proved : other));
  return { ...circuit, open: { ...open, rung, claims } };
}

/**
 * How long a circuit stays open: fast failures by the number of trials that failed, slow ones by what a trial costs.
 */
export function openTimeMs(costMs: number, failedTrials: number, breaker: Breaker): number {
  const fast = Math.min(breaker.openMs * 2 ** Math.min(failedTrials, 40), Math.max(breaker.maxOpenMs, breaker.openMs));
  const slow = Math.min(breaker.slowFactor * costMs, breaker.maxSlowOpenMs);
  return Math.max(fast, slow);
}

function openFor(failure: CountedFailure, failedTrials: number, breaker: Breaker): OpenCircuit {
  const { at, cause, reason } = failure;
  const until = at + openTimeMs(failure.costMs, failedTrials, breaker);
  return { since: at, until, failedAt: at, failedTrials, cause, reason, rung: 0, claims: [] };
}

/** Repeats of one turn count once per route, with the heaviest of their weights. */
function addFailure(
  before: readonly CircuitFailure[],
  { at, weight, turn, route, target, isConnect }: CountedFailure,
  windowMs: number,
): readonly CircuitFailure[] {
  const inWindow = before.filter((failure) => failure.expiresAt > at);
  const twin = turn === null ? undefined : inWindow.find((other) => other.turn === turn && other.route === route);
  if (twin !== undefined) {
    return inWindow.map((other) => (other === twin ? { ...twin, weight: Math.max(twin.weight, weight) } : other));
  }
  const failure = { at, expiresAt: at + windowMs, weight, turn, route, target, isConnect };
  return [...inWindow.slice(-(MAX_FAILURES - 1)), failure];
}

function liveClaims(open: OpenCircuit, now: number): readonly Claim[] {
  return open.claims.filter((claim) => claim.expiresAt > now);
}

/** The claim that an attempt holds: the last one of its route that was made before it was sent. */
function claimOf(open: OpenCircuit | null, verdict: CircuitVerdict): Claim | undefined {
  return open?.claims.findLast((claim) => claim.route === verdict.route && claim.at <= verdict.startedAt);
}

function sum(failures: readonly CircuitFailure[]): number {
  return failures.reduce((total, failure) => total + failure.weight, 0);
}
