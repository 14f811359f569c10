import { OUTCOMES } from '../failure/outcome.ts';
import { RAMP } from './circuit.ts';
import { HOLD_RULES } from './hold.ts';
import { createHealthState, FRESH, type HealthState, SCOPE_KINDS, type ScopeHealth } from './state.ts';

/** What a value has to be; a file that somebody else wrote, or half of one, is none. */
type Shape = (value: unknown) => boolean;

const isText: Shape = (value) => typeof value === 'string' && value.length <= 2000;
const isMoment: Shape = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isCount: Shape = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isFlag: Shape = (value) => typeof value === 'boolean';
const isOutcome: Shape = (value) => (OUTCOMES as readonly unknown[]).includes(value);
const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value);
const oneOf =
  (names: readonly unknown[]): Shape =>
  (value) =>
    names.includes(value);
const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf =
  (shape: Shape): Shape =>
  (value) =>
    isRecord(value) && Object.values(value).every(shape);
const made =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isRecord(value) && Object.entries(members).every(([name, shape]) => shape(value[name]));

const isFailure = made({
  at: isMoment,
  expiresAt: isMoment,
  weight: isMoment,
  turn: orNull(isText),
  route: isText,
  target: isText,
  isConnect: isFlag,
});

const isOpen = made({
  since: isMoment,
  until: isMoment,
  failedAt: isMoment,
  failedTrials: isCount,
  cause: isOutcome,
  reason: isText,
  rung: oneOf(RAMP.map((_, rung) => rung)),
});

const isScope = made({
  identity: orNull(isText),
  hold: orNull(
    made({
      kind: oneOf(Object.keys(HOLD_RULES)),
      cause: isOutcome,
      reason: isText,
      since: isMoment,
      until: isMoment,
      toldUntil: orNull(isMoment),
      step: isCount,
      turn: orNull(isText),
    }),
  ),
  circuit: made({ failures: listOf(isFailure), open: orNull(isOpen) }),
  slow: orNull(made({ since: isMoment, until: isMoment, cause: isText, reason: isText })),
  disabledAt: orNull(isMoment),
  learnt: recordOf(isMoment),
  provedAt: orNull(isMoment),
  last: orNull(
    made({ outcome: isOutcome, at: isMoment, ms: isMoment, status: orNull(isCount), reason: orNull(isText) }),
  ),
});

const isScopes = made(Object.fromEntries(SCOPE_KINDS.map((kind) => [kind, recordOf(isScope)])));

/**
 * Health that an earlier process wrote down, as this one takes it up: with its age, since every moment in it is one of the
 * calendar, but without the places that requests of the dead process held in circuits. What a key or a bill had stopped by
 * a guess of ours is asked first thing: whoever restarts a gateway may have mended just that. Null: it is not health.
 */
export function recallHealth(value: unknown, now: number): HealthState | null {
  if (!isRecord(value) || !isScopes(value['scopes'])) return null;
  const scopes = value['scopes'] as HealthState['scopes'];
  const recalled = SCOPE_KINDS.map((kind) => [
    kind,
    Object.fromEntries(Object.entries(scopes[kind]).map(([id, scope]) => [id, recallScope(scope, now)])),
  ]);
  return { ...createHealthState(), scopes: Object.fromEntries(recalled) as HealthState['scopes'] };
}

/** Behind this a moment lies too far ahead to be one of this calendar: the clock was another. */
const LONGEST_MS = 31 * 24 * 60 * 60_000;

function recallScope(scope: ScopeHealth, now: number): ScopeHealth {
  const { hold, circuit, slow, provedAt } = scope;
  const { open } = circuit;
  const isSane = (until: number): boolean => until <= now + LONGEST_MS;
  return {
    ...FRESH,
    ...scope,
    hold: hold === null || !isSane(hold.until) ? null : probeFirst(hold, now),
    circuit: { ...circuit, open: open === null || !isSane(open.until) ? null : { ...open, claims: [] } },
    slow: slow === null || !isSane(slow.until) ? null : slow,
    provedAt: provedAt === null ? null : Math.min(provedAt, now),
  };
}

const MENDED_BY_PEOPLE: ReadonlySet<string> = new Set(['auth', 'quota']);

type Held = NonNullable<ScopeHealth['hold']>;

function probeFirst(hold: Held, now: number): Held {
  const isTold = hold.toldUntil !== null && hold.toldUntil > now;
  return MENDED_BY_PEOPLE.has(hold.kind) && !isTold && hold.until > now ? { ...hold, until: now } : hold;
}
