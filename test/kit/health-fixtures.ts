import { DEFAULT_HEALTH, DEFAULT_SETTINGS } from '../../src/config/defaults.ts';
import type { Failure } from '../../src/core/failure/failure.ts';
import { availability } from '../../src/core/health/availability-of.ts';
import { claimTrial } from '../../src/core/health/claim-trial.ts';
import type { Observation } from '../../src/core/health/observation.ts';
import { observe } from '../../src/core/health/observe.ts';
import type { HealthSettings } from '../../src/core/health/settings.ts';
import { createHealthState, type HealthState } from '../../src/core/health/state.ts';
import type { CanonicalRequest } from '../../src/core/model/request.ts';
import type { ModelSettings } from '../../src/core/model/settings.ts';
import type { Route, Target, VirtualModel } from '../../src/core/routing/candidate.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** What holds where nothing is configured. */
export const HEALTH: HealthSettings = DEFAULT_HEALTH;

export function withBreaker(change: Partial<HealthSettings['breaker']>): HealthSettings {
  return { ...HEALTH, breaker: { ...HEALTH.breaker, ...change } };
}

/** A route `provider/model#credential` on `provider.test:443`. */
export function makeRoute(id: string, change: Partial<Route> = {}): Route {
  const hash = id.indexOf('#');
  const target = hash < 0 ? id : id.slice(0, hash);
  const credential = hash < 0 ? 'default' : id.slice(hash + 1);
  const slash = target.indexOf('/');
  const provider = target.slice(0, slash);
  return {
    id: `${target}#${credential}`,
    target,
    provider,
    model: target.slice(slash + 1),
    credential,
    endpoint: `${provider}.test:443`,
    protocol: 'openai-chat',
    identity: `identity of ${target}#${credential}`,
    account: `account of ${provider}#${credential}`,
    accountWideLimit: false,
    ...change,
  };
}

const NEUTRAL: Failure = {
  row: 'test',
  outcome: 'server_error',
  component: 'target',
  onward: 'next_target',
  again: false,
  scope: 'route',
  hold: null,
  weight: 0,
  refusal: false,
  requestShaped: false,
  toldDelayMs: null,
  feature: null,
  status: null,
  code: null,
  param: null,
  type: null,
  reason: 'made up',
};

const fail =
  (change: Partial<Failure>) =>
  (toldDelayMs: number | null = null): Failure => ({
    ...NEUTRAL,
    ...change,
    toldDelayMs,
  });

/** One failure of each kind that health tells apart; the argument is a told delay in ms. */
export const FAILURES = {
  serverError: fail({ outcome: 'server_error', status: 500, weight: 1, hold: 'told_only' }),
  cut: fail({ outcome: 'incomplete_stream', status: 200, weight: 1 }),
  timeout: fail({ outcome: 'timeout_headers', weight: 2 }),
  connect: fail({ outcome: 'connect_error', weight: 1, scope: 'endpoint', component: 'endpoint' }),
  empty: fail({ outcome: 'empty_completion', weight: 0.5 }),
  rateLimited: fail({ outcome: 'rate_limited', status: 429, hold: 'rate_limited' }),
  quota: fail({ outcome: 'quota_exhausted', status: 429, hold: 'quota', scope: 'credential' }),
  auth: fail({ outcome: 'auth', status: 401, hold: 'auth', scope: 'credential' }),
  permission: fail({ outcome: 'permission', status: 403, hold: 'permission' }),
  notFound: fail({ outcome: 'model_not_found', status: 404, hold: 'not_found' }),
  retired: fail({ outcome: 'model_gone', status: 410, hold: 'retired', scope: 'target' }),
  badRequest: fail({ outcome: 'bad_request', status: 400, scope: 'none', component: 'client' }),
  context: fail({ outcome: 'context_length', status: 400, scope: 'none', component: 'client' }),
  local: fail({ outcome: 'bad_gateway', scope: 'none', component: 'gateway' }),
  noImages: fail({ outcome: 'unsupported_capability', status: 400, scope: 'none', feature: 'images' }),
} as const;

export type FailureName = keyof typeof FAILURES;

export function makeObservation(
  route: Route,
  at: number,
  kind: Observation['kind'],
  change: Partial<Observation> = {},
): Observation {
  return {
    kind,
    route,
    at,
    startedAt: at,
    failure: null,
    limitMs: null,
    ownLimitMs: null,
    trial: false,
    probe: false,
    turn: null,
    ...change,
  };
}

/** Without keep-alives, which would be something else to see. */
export const MODEL_SETTINGS: ModelSettings = { ...DEFAULT_SETTINGS, keepalive: null };

/** A target `provider/model` with one route per credential. */
export function makeTarget(
  id: string,
  change: Partial<Target> = {},
  credentials: readonly string[] = ['default'],
): Target {
  const routes = credentials.map((name) => makeRoute(`${id}#${name}`));
  const { provider, model } = makeRoute(id);
  return {
    id,
    provider,
    model,
    protocol: 'openai-chat',
    tier: 0,
    weight: 1,
    capabilities: {},
    routes,
    credentialStrategy: 'order',
    settings: MODEL_SETTINGS,
    ...change,
  };
}

export function makeModel(targets: readonly Target[], change: Partial<VirtualModel> = {}): VirtualModel {
  return {
    name: 'main',
    aliases: [],
    strategy: 'failover',
    sticky: 1,
    affinity: true,
    pinned: false,
    targets,
    settings: MODEL_SETTINGS,
    ...change,
  };
}

export function makeRequest(change: Partial<CanonicalRequest> = {}): CanonicalRequest {
  return {
    protocol: 'openai-chat',
    model: 'main',
    stream: true,
    choices: 1,
    needs: [],
    usageAsked: false,
    endsWithToolResult: false,
    effects: [],
    conversation: { sessionId: null, promptCacheKey: null, previousResponseId: null, userId: null, prefixHash: null },
    estimatedInputTokens: 100,
    original: new Uint8Array(),
    extensions: {},
    ...change,
  };
}

/** A state under observation, with a short way to write what was seen. */
export function watchHealth(settings: HealthSettings = HEALTH) {
  let state: HealthState = createHealthState();
  return {
    state: () => state,
    see(kind: Observation['kind'], route: Route, at: number, change: Partial<Observation> = {}) {
      state = observe(state, makeObservation(route, at, kind, change), settings);
    },
    fails(name: FailureName, route: Route, at: number, change: Partial<Observation> & { told?: number } = {}) {
      const { told, ...rest } = change;
      state = observe(
        state,
        makeObservation(route, at, 'failure', { failure: FAILURES[name](told ?? null), ...rest }),
        settings,
      );
    },
    claim(route: Route, at: number): boolean {
      const claim = claimTrial(state, route, at, settings);
      state = claim.state;
      return claim.granted;
    },
    at: (route: Route, now: number) => availability(state, route, now),
    word: (route: Route, now: number) => availability(state, route, now).state,
  };
}
