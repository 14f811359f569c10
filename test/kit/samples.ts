import { DEFAULT_SETTINGS } from '../../src/config/defaults.ts';
import type { AttemptRecord } from '../../src/core/attempt/ledger.ts';
import type { Failure } from '../../src/core/failure/failure.ts';
import type { Availability } from '../../src/core/health/availability.ts';
import type { ModelSettings } from '../../src/core/model/settings.ts';
import type { Route, Target } from '../../src/core/routing/candidate.ts';
import type { Candidate, Plan } from '../../src/core/routing/plan.ts';

/** What holds where nothing is configured. */
export const SETTINGS: ModelSettings = DEFAULT_SETTINGS;

export const READY: Availability = {
  state: 'ready',
  cause: null,
  reason: null,
  since: null,
  until: null,
  told: false,
  scope: 'route',
};

export function makeRoute(
  provider: string,
  model = 'm',
  credential = 'default',
  endpoint = `${provider}.test:443`,
): Route {
  const target = `${provider}/${model}`;
  const id = `${target}#${credential}`;
  return {
    id,
    target,
    provider,
    model,
    credential,
    endpoint,
    protocol: 'openai-chat',
    identity: id,
    accountWideLimit: false,
  };
}

export function makeTarget(routes: readonly Route[], more: Partial<Target> = {}): Target {
  const [first] = routes;
  if (first === undefined) throw new RangeError('a target has routes');
  return {
    id: first.target,
    provider: first.provider,
    model: first.model,
    protocol: first.protocol,
    tier: 0,
    weight: 1,
    capabilities: {},
    routes,
    credentialStrategy: 'order',
    settings: SETTINGS,
    ...more,
  };
}

export function makeCandidate(target: Target, route: Route, more: Partial<Candidate> = {}): Candidate {
  return { route, target, rank: 1, use: 'serve', skip: null, availability: READY, reason: 'ready', ...more };
}

export function makePlan(candidates: readonly Candidate[], at = 0): Plan {
  const order = [...new Set(candidates.map(({ route }) => route.target))];
  let rank = 0;
  const ranked = candidates.map((candidate) => ({ ...candidate, rank: candidate.use === 'skip' ? null : ++rank }));
  return { at, order, candidates: ranked, missing: [] };
}

export function makeFailure(more: Partial<Failure> = {}): Failure {
  return {
    row: 'server-error',
    outcome: 'server_error',
    component: 'target',
    onward: 'next_target',
    again: true,
    scope: 'route',
    hold: 'told_only',
    weight: 1,
    refusal: false,
    requestShaped: false,
    toldDelayMs: null,
    feature: null,
    status: 503,
    code: null,
    param: null,
    type: null,
    reason: 'the provider answered 503',
    ...more,
  };
}

/** A failed attempt on a route. */
export function makeAttemptOn(route: Route, more: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    n: 1,
    route: route.id,
    target: route.target,
    credential: route.credential,
    endpoint: route.endpoint,
    why: '',
    charged: true,
    trial: false,
    startedAt: 100,
    headAt: null,
    status: null,
    committedAt: null,
    endedAt: 200,
    outcome: 'server_error',
    phase: 'preflight',
    failure: makeFailure(),
    reason: null,
    usage: null,
    cooldownUntil: null,
    ...more,
  };
}
