import type { Route } from '../routing/candidate.ts';
import type { Availability } from './availability.ts';
import { type Circuit, hasUnproved, phaseOf, slotOf } from './circuit.ts';
import { demotedUntil, HOLD_RULES, type Hold, isTold } from './hold.ts';
import { scopeOf } from './scope.ts';
import { type HealthState, readScope, SCOPE_KINDS, type ScopeHealth, type ScopeKind, type Slow } from './state.ts';

/** One thing that stands against a scope, and how much it weighs beside others. */
type Finding = { readonly severity: number; readonly availability: Availability };

/** The heavier one gives a route its word. From `BLOCKS` on nothing is sent, but for the trial of an open circuit. */
const SEVERITY = {
  ready: 0,
  passed: 1,
  slow: 2,
  halfOpenFree: 3,
  guessed: 4,
  halfOpenTaken: 5,
  open: 6,
  told: 7,
  rejected: 8,
  disabled: 9,
} as const;

const BLOCKS = SEVERITY.open;

/** Whether a route can be used now: the worst of its own state and those of its target, credential and endpoint. */
export function availability(state: HealthState, route: Route, now: number): Availability {
  const findings = SCOPE_KINDS.flatMap((kind) => findingsOf(scopeOf(state, kind, route), kind, now));
  return worstOf(findings, 'route');
}

/** The state of one scope alone, whatever holds its neighbours. */
export function scopeAvailability(state: HealthState, kind: ScopeKind, id: string, now: number): Availability {
  return worstOf(findingsOf(readScope(state, kind, id), kind, now), kind);
}

/**
 * Whether an attempt on this route needs a claim now, and could have it. `none`: no circuit of it is open. Does not ask
 * whether the open time has passed.
 */
export function trialSlot(state: HealthState, route: Route, now: number): 'none' | 'free' | 'taken' {
  const slots = (['route', 'endpoint'] as const).map((kind) => slotOf(scopeOf(state, kind, route).circuit, now));
  if (slots.includes('taken')) return 'taken';
  return slots.includes('free') ? 'free' : 'none';
}

/** Somebody is on the way in an open circuit of it, and nothing has come of that yet. */
export const isUnderTrial = (state: HealthState, route: Route, now: number): boolean =>
  (['route', 'endpoint'] as const).some((kind) => hasUnproved(scopeOf(state, kind, route).circuit, now));

/** So long behind the end of its open time a circuit waits for a probe before it lets a client make the trial. */
export const PROBE_GRACE_MS = 5000;

/** An open circuit of it lets a trial in since a moment ago, and nobody has made it yet. */
export const awaitsProbe = (state: HealthState, route: Route, now: number): boolean =>
  (['route', 'endpoint'] as const).some((kind) => {
    const { open } = scopeOf(state, kind, route).circuit;
    return open !== null && open.rung === 0 && now < open.until + PROBE_GRACE_MS;
  });

/** When the circuits that stand against a route last saw a failure; null when none is open. */
export function failedAt(state: HealthState, route: Route): number | null {
  const moments = (['route', 'endpoint'] as const).flatMap((kind) => {
    const { open } = scopeOf(state, kind, route).circuit;
    return open === null ? [] : [open.failedAt];
  });
  return moments.length === 0 ? null : Math.max(...moments);
}

const NOTHING: readonly Finding[] = [];

function findingsOf(health: ScopeHealth, scope: ScopeKind, now: number): readonly Finding[] {
  const { disabledAt, hold, circuit, slow } = health;
  // Mostly so, and every request asks for every route.
  if (disabledAt === null && hold === null && circuit.open === null && slow === null) return NOTHING;
  return [
    disabledFinding(health.disabledAt, scope),
    holdFinding(health.hold, scope, now),
    circuitFinding(health.circuit, scope, now),
    slowFinding(health.slow, scope, now),
  ].filter((finding) => finding !== null);
}

function worstOf(findings: readonly Finding[], scope: ScopeKind): Availability {
  const first = findings[0];
  if (first === undefined) {
    return { state: 'ready', cause: null, reason: null, since: null, until: null, told: false, scope };
  }
  const worst = findings.reduce((a, b) => (isWorse(b, a) ? b : a), first);
  const { until } = worst.availability;
  if (worst.severity < BLOCKS || until === null) return worst.availability;
  // What is blocked twice can be used when the later of both is over.
  const last = findings.reduce((a, b) => (b.severity >= BLOCKS && untilOf(b) > untilOf(a) ? b : a), worst);
  if (last === worst) return worst.availability;
  const told = worst.severity === SEVERITY.told || last.availability.told;
  return { ...worst.availability, until: last.availability.until, told };
}

function isWorse(a: Finding, b: Finding): boolean {
  return a.severity > b.severity || (a.severity === b.severity && untilOf(a) > untilOf(b));
}

function untilOf(finding: Finding): number {
  return finding.availability.until ?? 0;
}

function disabledFinding(disabledAt: number | null, scope: ScopeKind): Finding | null {
  if (disabledAt === null) return null;
  const reason = 'taken out of service by an operator';
  const facts = { cause: 'operator', reason, since: disabledAt, until: null, told: false, scope };
  return { severity: SEVERITY.disabled, availability: { state: 'disabled', ...facts } };
}

function holdFinding(hold: Hold | null, scope: ScopeKind, now: number): Finding | null {
  if (hold === null) return null;
  const { cause, reason, since, until } = hold;
  const facts = { cause, reason, since, scope };
  if (until <= now) {
    if (demotedUntil(hold) <= now) return null;
    return { severity: SEVERITY.passed, availability: { state: 'deferred', ...facts, until, told: false } };
  }
  const told = isTold(hold, now);
  if (HOLD_RULES[hold.kind].state === 'rejected') {
    const isToldEnd = told && hold.toldUntil === until;
    return { severity: SEVERITY.rejected, availability: { state: 'rejected', ...facts, until, told: isToldEnd } };
  }
  // Behind the end of a server's word a longer guess goes on, but a guess may be a last resort.
  return told
    ? { severity: SEVERITY.told, availability: { state: 'deferred', ...facts, until: hold.toldUntil, told } }
    : { severity: SEVERITY.guessed, availability: { state: 'deferred', ...facts, until, told } };
}

function circuitFinding(circuit: Circuit, scope: ScopeKind, now: number): Finding | null {
  const { open } = circuit;
  if (open === null) return null;
  const { cause, reason, since, until } = open;
  const facts = { cause, reason, since, told: false, scope };
  if (phaseOf(circuit, now) === 'open') {
    return { severity: SEVERITY.open, availability: { state: 'open', ...facts, until } };
  }
  const severity = slotOf(circuit, now) === 'taken' ? SEVERITY.halfOpenTaken : SEVERITY.halfOpenFree;
  return { severity, availability: { state: 'half_open', ...facts, until: until > now ? until : null } };
}

function slowFinding(slow: Slow | null, scope: ScopeKind, now: number): Finding | null {
  if (slow === null || slow.until <= now) return null;
  const { cause, reason, since, until } = slow;
  const facts = { cause, reason, since, until, told: false, scope };
  return { severity: SEVERITY.slow, availability: { state: 'slow', ...facts } };
}
