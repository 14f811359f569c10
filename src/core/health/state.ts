import type { Outcome } from '../failure/outcome.ts';
import type { Feature } from '../model/capability.ts';
import type { Circuit } from './circuit.ts';
import type { Hold } from './hold.ts';

/**
 * What is known of the health of everything that is sent to. Plain data: it survives `JSON.stringify`, is never changed
 * in place, and shares what a step did not touch. All instants are epoch ms.
 */
export type HealthState = {
  /**
   * Routes of the configuration in force. What is observed of one with another identity is of a former configuration.
   */
  readonly known: Readonly<Record<string, KnownRoute>>;
  readonly scopes: { readonly [K in ScopeKind]: Readonly<Record<string, ScopeHealth>> };
};

export const SCOPE_KINDS = ['route', 'target', 'credential', 'endpoint'] as const;

export type ScopeKind = (typeof SCOPE_KINDS)[number];

export type KnownRoute = {
  readonly identity: string;
  readonly target: string;
  /** `provider/name` */
  readonly credential: string;
  readonly endpoint: string;
};

/** What was learnt of one scope. A scope without a record is ready. */
export type ScopeHealth = {
  /** Of a route: the identity that was observed. Null for the other scopes, which `retainRoutes` renews. */
  readonly identity: string | null;
  readonly hold: Hold | null;
  readonly circuit: Circuit;
  readonly slow: Slow | null;
  /** Taken out of service by an operator. */
  readonly disabledAt: number | null;
  /** Of a target: the features (`LearntCapability`) and parts of requests that it was seen to refuse, and when. */
  readonly learnt: Readonly<Record<string, number>>;
  /** Of a route: when it last answered well; null: it was not seen to. */
  readonly provedAt: number | null;
  readonly last: LastResult | null;
};

export type LearntCapability = Feature | 'streamUsage';

/** Silence was seen: served behind the ready routes of its tier. */
export type Slow = {
  readonly since: number;
  readonly until: number;
  readonly cause: string;
  readonly reason: string;
};

/** The last end of an attempt that taught something about this scope. */
export type LastResult = {
  readonly outcome: Outcome;
  readonly at: number;
  readonly ms: number;
  readonly status: number | null;
  readonly reason: string | null;
};

export const FRESH: ScopeHealth = {
  identity: null,
  hold: null,
  circuit: { failures: [], open: null },
  slow: null,
  disabledAt: null,
  learnt: {},
  provedAt: null,
  last: null,
};

/**
 * Clients may name targets that no list contains (`pinned: any`), so what they make us remember has a bound, and a low
 * one: each observation copies the table of its kind. The oldest of such records go first, those that an operator took
 * out of service last.
 */
export const MAX_UNLISTED = 256;

export function createHealthState(): HealthState {
  return { known: {}, scopes: { route: {}, target: {}, credential: {}, endpoint: {} } };
}

export function readScope(state: HealthState, kind: ScopeKind, id: string): ScopeHealth {
  const records = state.scopes[kind];
  return Object.hasOwn(records, id) ? (records[id] ?? FRESH) : FRESH;
}

export function writeScope(state: HealthState, kind: ScopeKind, id: string, scope: ScopeHealth): HealthState {
  const records = state.scopes[kind];
  if (scope === readScope(state, kind, id)) return state;
  const room = Object.hasOwn(records, id) ? records : makeRoom(state, kind);
  return { ...state, scopes: { ...state.scopes, [kind]: { ...room, [id]: scope } } };
}

function makeRoom(state: HealthState, kind: ScopeKind): Readonly<Record<string, ScopeHealth>> {
  const records = state.scopes[kind];
  const ids = Object.keys(records);
  if (ids.length < MAX_UNLISTED) return records;
  const configured = configuredIds(state, kind);
  const unlisted = ids.filter((id) => !configured.has(id));
  const oldest = unlisted.find((id) => records[id]?.disabledAt === null) ?? unlisted[0];
  if (oldest === undefined || unlisted.length < MAX_UNLISTED) return records;
  const { [oldest]: _dropped, ...rest } = records;
  return rest;
}

/** Ids of the scopes that the configuration in force names. */
export function configuredIds(state: HealthState, kind: ScopeKind): ReadonlySet<string> {
  if (kind === 'route') return new Set(Object.keys(state.known));
  return new Set(Object.values(state.known).map((route) => route[kind]));
}
