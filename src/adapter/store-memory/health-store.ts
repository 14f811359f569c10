import { scopeAvailability } from '../../core/health/availability-of.ts';
import { claimTrial } from '../../core/health/claim-trial.ts';
import { observe } from '../../core/health/observe.ts';
import { operate } from '../../core/health/operate.ts';
import { retainRoutes } from '../../core/health/retain-routes.ts';
import { scopeId } from '../../core/health/scope.ts';
import type { HealthSettings } from '../../core/health/settings.ts';
import { createHealthState, type HealthState, SCOPE_KINDS, type ScopeKind } from '../../core/health/state.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { HealthStore } from '../../port/health-store.ts';
import type { Telemetry } from '../../port/telemetry.ts';

export type MemoryHealthStoreOptions = {
  /** Read at each use, so that a reload of the configuration needs no new store. */
  readonly settings: () => HealthSettings;
  /** Told of every change of a scope's state word. */
  readonly telemetry?: Pick<Telemetry, 'healthChanged'>;
  /** What an earlier process knew; absent: nothing. */
  readonly first?: HealthState;
};

type ScopeRef = readonly [kind: ScopeKind, id: string];

/** Health in this process alone; it is gone when the process is. */
export function createMemoryHealthStore({ settings, telemetry, first }: MemoryHealthStoreOptions): HealthStore {
  let state: HealthState = first ?? createHealthState();
  /** The state word that was told last, of scopes that are not ready. */
  const told = new Map<string, string>();

  const tell = ([kind, id]: ScopeRef, now: number): void => {
    const key = `${kind} ${id}`;
    const from = told.get(key) ?? 'ready';
    const { state: to, until, reason, cause } = scopeAvailability(state, kind, id, now);
    if (from === to) return;
    if (to === 'ready') told.delete(key);
    else told.set(key, to);
    telemetry?.healthChanged({ id, scope: kind, from, to, until, reason, cause });
  };
  const change = (next: HealthState, scopes: readonly ScopeRef[], now: number): void => {
    if (next === state) return;
    state = next;
    for (const scope of scopes) tell(scope, now);
  };

  return {
    snapshot: () => state,
    observe(observation) {
      change(observe(state, observation, settings()), scopesOf(observation.route), observation.at);
    },
    claimTrial(route, now) {
      const claim = claimTrial(state, route, now, settings());
      change(claim.state, scopesOf(route), now);
      return claim.granted;
    },
    operate(action, id, now) {
      const next = operate(state, action, id, now);
      if (next === null) return false;
      change(next, scopesNamed(next, id), now);
      return true;
    },
    retain(routes) {
      state = retainRoutes(state, routes);
      for (const key of told.keys()) if (!isRemembered(state, key)) told.delete(key);
    },
    close: () => Promise.resolve(),
  };
}

function scopesOf(route: Route): readonly ScopeRef[] {
  return SCOPE_KINDS.map((kind) => [kind, scopeId(kind, route)] as const);
}

/** Every scope that an operator's word on this id may have changed. */
function scopesNamed(state: HealthState, id: string): readonly ScopeRef[] {
  const target = state.known[id]?.target;
  const named = SCOPE_KINDS.map((kind) => [kind, id] as const);
  return target === undefined ? named : [...named, ['target', target]];
}

function isRemembered(state: HealthState, key: string): boolean {
  return SCOPE_KINDS.some((kind) => Object.keys(state.scopes[kind]).some((id) => key === `${kind} ${id}`));
}
