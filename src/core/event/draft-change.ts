import type { Outcome } from '../failure/outcome.ts';
import { scopeAvailability } from '../health/availability-of.ts';
import { type HealthState, type KnownRoute, SCOPE_KINDS } from '../health/state.ts';
import type { EventDraft } from './drafts.ts';
import type { HealthChange } from './told.ts';

/** Rejections that end with money or time; all others wait for somebody to change something. */
const SPENT: readonly string[] = ['quota_exhausted', 'billing'] satisfies Outcome[];

/**
 * The events of one change of a state word, the change itself first. `health` is the state behind the change; null where
 * nobody can tell: then only a key that is out as a whole is known to be exhausted.
 */
export function draftChange(change: HealthChange, at: number, health: HealthState | null): readonly EventDraft[] {
  const { scope, id, from, to, until, cause = null } = change;
  const waitMs = until === null ? null : Math.max(0, Math.round(until - at));
  const told = { at, cause, for_ms: to === 'ready' || Number.isNaN(waitMs) ? null : waitMs };
  const place = { scope, id };
  return [
    { name: 'route_state_changed', fields: { ...told, ...place, from, to } },
    ...(isHold(to) && !isHold(from) ? [draft('hold_started', { ...told, ...place, state: to })] : []),
    ...draftCircuit(change).map((circuit) => draft('circuit_changed', { ...told, ...place, ...circuit })),
    ...(to === 'rejected' ? draftRejection(change, told, health) : []),
  ];
}

const draft = (name: EventDraft['name'], fields: EventDraft['fields']): EventDraft => ({ name, fields });

const isHold = (state: string): boolean => state === 'deferred' || state === 'rejected';

const CIRCUITS: Readonly<Record<string, 'closed' | 'open' | 'half_open'>> = {
  ready: 'closed',
  slow: 'closed',
  open: 'open',
  half_open: 'half_open',
};

/** A hold hides what its circuit is. */
function draftCircuit(change: HealthChange): readonly EventDraft['fields'][] {
  const from = CIRCUITS[change.from] ?? 'closed';
  const to = CIRCUITS[change.to];
  return to === undefined || to === from ? [] : [{ from, to }];
}

function draftRejection(
  { scope, id, cause = null }: HealthChange,
  told: EventDraft['fields'],
  health: HealthState | null,
): readonly EventDraft[] {
  const provider = scope === 'endpoint' ? null : id.split('/', 1)[0];
  if (cause === null || !SPENT.includes(cause))
    return [draft('provider_rejected_permanent', { ...told, provider, scope, id })];
  const routes =
    health === null ? [] : Object.entries(health.known).filter(([route]) => route.startsWith(`${provider}/`));
  const isSpent = (known: (typeof routes)[number]): boolean =>
    health !== null && isOutBySpending(health, known, told['at'] as number);
  if (routes.length > 0 && routes.every(isSpent)) return [draft('provider_exhausted', { ...told, provider })];
  const key = scope === 'credential' ? id : health?.known[id]?.credential;
  const ofKey = routes.filter(([, { credential }]) => credential === key);
  if (key === undefined || (scope !== 'credential' && !ofKey.every(isSpent))) return [];
  return [draft('provider_exhausted', { ...told, provider, credential: key.slice(key.indexOf('/') + 1) })];
}

/** Some scope of the route is out, and it is for this. */
const isOutBySpending = (health: HealthState, [id, known]: readonly [string, KnownRoute], now: number): boolean =>
  SCOPE_KINDS.some((kind) => {
    const { state, cause } = scopeAvailability(health, kind, kind === 'route' ? id : known[kind], now);
    return state === 'rejected' && cause !== null && SPENT.includes(cause);
  });
