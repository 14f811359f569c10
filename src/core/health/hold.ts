import type { HoldKind } from '../failure/failure.ts';
import type { Outcome } from '../failure/outcome.ts';
import type { HealthSettings } from './settings.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Time for which a scope is not used. */
export type Hold = {
  readonly kind: HoldKind;
  readonly cause: Outcome;
  readonly reason: string;
  readonly since: number;
  readonly until: number;
  /** How far a server's own word reaches; a guess may reach further. Null: no server named a time. */
  readonly toldUntil: number | null;
  /** How often it was doubled. */
  readonly step: number;
  /** The client's turn that caused it: its repeats do not double. */
  readonly turn: string | null;
};

type HoldRule = {
  /** First length of a guess, out of the settings; null: held only when a server says so. */
  readonly guess: keyof HealthSettings['cooldown'] | null;
  /** Where doubling ends, ms; null: no doubling. */
  readonly cap: number | null;
  /** `rejected`: never before its end. `deferred`: a guess may be used as a last resort. */
  readonly state: 'deferred' | 'rejected';
};

/** Lengths of holds (failure table, column "hold"). */
export const HOLD_RULES: Readonly<Record<HoldKind, HoldRule>> = {
  rate_limited: { guess: 'rateLimitedMs', cap: MINUTE, state: 'deferred' },
  quota: { guess: 'quotaMs', cap: 6 * HOUR, state: 'rejected' },
  auth: { guess: 'authMs', cap: HOUR, state: 'rejected' },
  permission: { guess: 'permissionMs', cap: null, state: 'rejected' },
  not_found: { guess: 'notFoundMs', cap: 6 * HOUR, state: 'rejected' },
  retired: { guess: 'retiredMs', cap: null, state: 'rejected' },
  told_only: { guess: null, cap: null, state: 'deferred' },
};

/** A told delay of nothing, or of a moment that has passed, is taken as this. */
const SHORTEST_TOLD_MS = SECOND;

/** How long a hold that has passed leaves its scope behind proved ones: as long as it was, at most this. */
const LONGEST_DEMOTION_MS = MINUTE;

/** Doubling stops here at the latest, far above any cap. */
const MAX_STEP = 40;

export type HoldCause = {
  readonly kind: HoldKind;
  readonly cause: Outcome;
  readonly reason: string;
  readonly toldMs: number | null;
  readonly startedAt: number;
  readonly at: number;
  readonly turn: string | null;
};

/** True while a hold is on that began after this attempt was sent: the attempt's end tells nothing new. */
export function isLate(hold: Hold | null, startedAt: number, at: number): boolean {
  return hold !== null && hold.until > at && startedAt < hold.since;
}

/**
 * The hold after a failure that asks for one. It never ends sooner than the one before, and a late failure does not
 * make it longer; the one thing that a late failure adds is a server's word where there was only a guess.
 */
export function extendHold(before: Hold | null, cause: HoldCause, settings: HealthSettings): Hold | null {
  const told = toldLength(cause.toldMs, settings);
  if (isLate(before, cause.startedAt, cause.at)) return told === null ? before : adoptTold(before, cause, told);
  const step = stepOf(before, cause);
  const length = told ?? guessLength(cause.kind, step, settings);
  if (length === null) return before;
  const until = cause.at + length;
  const toldUntil = told === null ? null : until;
  if (before === null || until >= before.until) {
    const kept = before !== null && isTold(before, cause.at) ? before.toldUntil : null;
    return { ...bare(cause), since: cause.at, until, toldUntil: toldUntil ?? kept, step };
  }
  return {
    ...before,
    toldUntil: later(before.toldUntil, toldUntil),
    step: before.kind === cause.kind ? step : before.step,
  };
}

export function isTold(hold: Hold, now: number): boolean {
  return hold.toldUntil !== null && hold.toldUntil > now;
}

/** The moment from which a hold that has passed no longer puts its scope behind others. */
export function demotedUntil(hold: Hold): number {
  return hold.until + Math.min(hold.until - hold.since, LONGEST_DEMOTION_MS);
}

/** What a success leaves of a hold: a server's word that is still on, and whatever began after the attempt was sent. */
export function clearHold(hold: Hold | null, startedAt: number, at: number): Hold | null {
  return hold !== null && (isTold(hold, at) || startedAt < hold.since) ? hold : null;
}

function adoptTold(before: Hold | null, cause: HoldCause, told: number): Hold | null {
  if (before === null || isTold(before, cause.at)) return before;
  const toldUntil = cause.at + told;
  return { ...before, toldUntil, until: Math.max(before.until, toldUntil) };
}

function toldLength(toldMs: number | null, settings: HealthSettings): number | null {
  if (toldMs === null || Number.isNaN(toldMs)) return null;
  return Math.min(toldMs > 0 ? toldMs : SHORTEST_TOLD_MS, settings.cooldown.maxMs);
}

function guessLength(kind: HoldKind, step: number, settings: HealthSettings): number | null {
  const { guess, cap } = HOLD_RULES[kind];
  if (guess === null) return null;
  const base = settings.cooldown[guess];
  const length = cap === null ? base : Math.min(base * 2 ** step, Math.max(cap, base));
  return Math.min(length, settings.cooldown.maxMs);
}

/**
 * A repeat is the same failure of an attempt that was sent after the hold began, with no success since (a success takes
 * the hold away) and not so long after it that it is another story.
 */
function stepOf(before: Hold | null, cause: HoldCause): number {
  if (before === null || before.kind !== cause.kind) return 0;
  const cap = HOLD_RULES[cause.kind].cap;
  if (cap === null || cause.at - before.until > cap) return 0;
  const isRepeat = cause.startedAt >= before.since && (cause.turn === null || cause.turn !== before.turn);
  return isRepeat ? Math.min(before.step + 1, MAX_STEP) : before.step;
}

function bare({ kind, cause, reason, turn }: HoldCause): Pick<Hold, 'kind' | 'cause' | 'reason' | 'turn'> {
  return { kind, cause, reason, turn };
}

function later(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
