import type { Failure } from '../../src/core/failure/failure.ts';
import type { Availability } from '../../src/core/health/availability.ts';
import type { ModelSettings } from '../../src/core/model/settings.ts';
import type { Route, Target } from '../../src/core/routing/candidate.ts';
import type { Candidate, Plan } from '../../src/core/routing/plan.ts';

/** The defaults of the configuration reference, as plain data. */
export const SETTINGS: ModelSettings = {
  commitOn: 'output',
  onEmpty: 'next',
  onContentPolicy: 'stop',
  onMalformed: 'fail',
  holdToolEnd: true,
  midStream: 'error',
  exhausted: 'auto',
  responseModel: 'upstream',
  usage: 'ask',
  replay: 'auto',
  keepalive: { afterMs: 10_000, everyMs: 10_000 },
  retry: { sameTarget: 'auto', maxAttempts: 8, waitForCooldownMs: 0, preferSameTarget: false },
  timeouts: {
    connectMs: 5_000,
    headersMs: 60_000,
    firstOutputMs: 120_000,
    idleMs: 120_000,
    progressMs: 300_000,
    wholeMs: 300_000,
    commitMs: 600_000,
    totalMs: 3_600_000,
  },
  preflight: { maxBytes: 4 << 20, maxEvents: 4096, maxJson: 32 << 20 },
  defaults: {},
};

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
