import type { AttemptRecord } from '../attempt/ledger.ts';
import type { Candidate } from '../routing/plan.ts';
import { couldServe } from './answer-class.ts';
import type { Outcome } from './outcome.ts';

/** Outcomes behind which the same request fails at this target however long one waits. */
const CANNOT_SERVE: ReadonlySet<Outcome> = new Set([
  'context_length',
  'payload_too_large',
  'unsupported_capability',
  'incompatible_history',
  'bad_request',
  'content_policy',
]);

export type KnownReturn = {
  /** Soonest return that may be told: a server's word, or the end of an open circuit. Epoch ms. */
  readonly toldAt: number | null;
  /** A place is likely to be free in a second: targets are busy, nothing is wrong with them. */
  readonly busy: boolean;
  /**
   * A half-open trial is under way, and nobody can say when it ends: its place may be free, or the route back, any
   * moment.
   */
  readonly trial: boolean;
  /** Some route may serve sooner than `toldAt`, though nobody said when: a guessed hold, or none at all. */
  readonly maybeSooner: boolean;
};

/** Two words about one route: the later one holds. */
const later = (a: number | null | undefined, b: number | null): number | null =>
  a == null ? b : b == null ? a : Math.max(a, b);

function toldByAttempt(attempt: AttemptRecord): number | null {
  const delay = attempt.failure?.toldDelayMs ?? null;
  if (delay === null || attempt.endedAt === null) return null;
  return attempt.cooldownUntil ?? attempt.endedAt + delay;
}

function toldByCandidate({ availability }: Candidate): number | null {
  const isCircuit = availability.state === 'open' || availability.state === 'half_open';
  return availability.told || isCircuit ? availability.until : null;
}

/** A hold that a last resort may be sent into, or no hold: `rejected` and `disabled` are neither. */
const isOpenToTry = ({ availability }: Candidate): boolean =>
  availability.state === 'ready' ||
  availability.state === 'slow' ||
  (availability.state === 'deferred' && !availability.told);

/** Never asked before its recheck, whatever else was told of it. */
const isShut = ({ availability: { state, told } }: Candidate): boolean =>
  state === 'disabled' || (state === 'rejected' && !told);

const isUnderTrial = ({ skip, availability }: Candidate): boolean =>
  skip === 'skipped_circuit' && availability.state === 'half_open' && availability.until === null;

/** When the routes that this request could use come back, as far as that is known. */
export function knownReturn(attempts: readonly AttemptRecord[], candidates: readonly Candidate[]): KnownReturn {
  const useless = new Set(attempts.filter((a) => a.outcome && CANNOT_SERVE.has(a.outcome)).map((a) => a.target));
  const told = new Map<string, number | null>();
  for (const attempt of attempts) {
    if (!useless.has(attempt.target)) told.set(attempt.route, later(told.get(attempt.route), toldByAttempt(attempt)));
  }
  const usable = candidates.filter((each) => couldServe(each) && !useless.has(each.target.id));
  for (const each of usable) told.set(each.route.id, later(told.get(each.route.id), toldByCandidate(each)));
  // What a server said of its return is void where the route may not be asked then for another reason, or can not do what
  // this request needs: others may have learnt that while its attempt was under way.
  for (const each of candidates) if (isShut(each) || !couldServe(each)) told.delete(each.route.id);
  const moments = [...told.values()].filter((at) => at !== null);
  return {
    toldAt: moments.length > 0 ? Math.min(...moments) : null,
    busy: usable.some((each) => each.skip === 'skipped_busy'),
    trial: usable.some(isUnderTrial),
    maybeSooner: usable.some((each) => told.get(each.route.id) == null && isOpenToTry(each)),
  };
}

const BUSY_MS = 1000;

export type ToldWait = { readonly retryAfterMs: number | null; readonly isBeyond: boolean };

/**
 * What a client may be told: whole seconds, up to 10 % longer so that clients do not come back in step, never beyond
 * `maxMs`. `isBeyond`: the soonest return lies beyond it, so coming back soon is useless.
 */
export function toldWait(known: KnownReturn, now: number, maxMs: number, jitter: number): ToldWait {
  const soon = { retryAfterMs: maxMs >= BUSY_MS ? BUSY_MS : null, isBeyond: false };
  if (known.busy && soon.retryAfterMs !== null) return soon;
  if (known.toldAt === null) return known.trial ? soon : { retryAfterMs: null, isBeyond: false };
  const delay = Math.max(0, known.toldAt - now);
  if (delay > maxMs && known.trial) return soon;
  if (delay > maxMs) return { retryAfterMs: null, isBeyond: !known.maybeSooner };
  const seconds = Math.max(1, Math.ceil((delay * (1 + 0.1 * Math.min(1, Math.max(0, jitter)))) / 1000));
  const most = Math.floor(maxMs / 1000);
  return { retryAfterMs: most < 1 ? null : Math.min(seconds, most) * 1000, isBeyond: false };
}
