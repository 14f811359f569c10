import { CLOSED } from './circuit.ts';
import type { OperatorAction } from './operator-action.ts';
import {
  configuredIds,
  type HealthState,
  readScope,
  SCOPE_KINDS,
  type ScopeHealth,
  type ScopeKind,
  writeScope,
} from './state.ts';

/**
 * An operator's word on a route, credential or endpoint (or on a target, which means all of its routes). Null: there is
 * no such id. A reset forgets what was observed and leaves a disabled scope disabled; that of a route forgets what
 * holds its target too, which is shown nowhere else, and that of a target what holds each of its routes.
 */
export function operate(state: HealthState, action: OperatorAction, id: string, now: number): HealthState | null {
  const kind = kindOf(state, id);
  if (kind === null) return null;
  const before = readScope(state, kind, id);
  if (action === 'disable') return writeScope(state, kind, id, { ...before, disabledAt: before.disabledAt ?? now });
  if (action === 'enable') return writeScope(state, kind, id, { ...before, disabledAt: null });
  return scopesOf(state, kind, id).reduce(
    (next, [each, key]) => writeScope(next, each, key, forget(readScope(next, each, key))),
    state,
  );
}

type ScopeId = readonly [kind: ScopeKind, id: string];

/** What stands and falls together for an operator. */
function scopesOf({ known }: HealthState, kind: ScopeKind, id: string): readonly ScopeId[] {
  const own: ScopeId = [kind, id];
  const target = kind === 'route' ? known[id]?.target : undefined;
  if (target !== undefined) return [own, ['target', target]];
  const routes = kind === 'target' ? Object.keys(known).filter((route) => known[route]?.target === id) : [];
  return [own, ...routes.map((route): ScopeId => ['route', route])];
}

function forget(scope: ScopeHealth): ScopeHealth {
  return { ...scope, hold: null, circuit: CLOSED, slow: null, learnt: {} };
}

/** The ids of a route, a credential and an endpoint look different; a credential stands before a target of its name. */
function kindOf(state: HealthState, id: string): ScopeKind | null {
  const kinds: readonly ScopeKind[] = ['route', 'credential', 'endpoint', 'target'];
  const configured = kinds.find((kind) => configuredIds(state, kind).has(id));
  return configured ?? SCOPE_KINDS.find((kind) => Object.hasOwn(state.scopes[kind], id)) ?? null;
}
