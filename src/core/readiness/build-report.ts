import type { Availability, AvailabilityState } from '../health/availability.ts';
import { availability } from '../health/availability-of.ts';
import { credentialId, scopeOf } from '../health/scope.ts';
import type { HealthState } from '../health/state.ts';
import type { Route, Target, VirtualModel } from '../routing/candidate.ts';
import type { ReadinessReport, ReportedModel, ReportedProvider, ReportedRoute, ReportedState } from './report.ts';
import { reportStages } from './report-stages.ts';
import { accountOf, type Round, type RoundCandidate } from './round.ts';
import type { ProbeSettings } from './settings.ts';
import { isKnown, standingOf } from './standing.ts';

export type ReportInput = {
  readonly now: number;
  readonly health: HealthState;
  readonly models: readonly Pick<VirtualModel, 'name' | 'targets'>[];
  readonly settings: ProbeSettings;
  /** The last round of each model; absent: it had none. */
  readonly rounds: ReadonlyMap<string, Round>;
  readonly providers: readonly ReportedProvider[];
};

/** What is known of the routes of these models. */
export function buildReport(input: ReportInput): ReadinessReport {
  return {
    contract: 'understudy-readiness-v1',
    generated_at: timeOf(input.now),
    models: input.models.map((model) => reportModel(model, input)),
    providers: input.providers,
  };
}

/** How many routes of a model are ready, or slow, and were seen to be. */
export function countProved(model: Pick<VirtualModel, 'name' | 'targets'>, input: Omit<ReportInput, 'models'>): number {
  const states = listOf(model).map((listed) => stateOf(listed, undefined, input));
  return states.filter((state) => state === 'ready' || state === 'slow').length;
}

type Listed = { readonly target: Target; readonly route: Route };
type Given = Omit<ReportInput, 'models'>;

const listOf = ({ targets }: Pick<VirtualModel, 'targets'>): readonly Listed[] =>
  targets.flatMap((target) => target.routes.map((route) => ({ target, route })));

function reportModel(model: Pick<VirtualModel, 'name' | 'targets'>, given: Given): ReportedModel {
  const { health, now, settings } = given;
  const round = given.rounds.get(model.name);
  const listed = listOf(model).filter(({ route }) => availability(health, route, now).state !== 'disabled');
  const routes = listed.map((one) => reportRoute(one, round, given));
  const count = (state: ReportedRoute['state']): number => routes.filter((route) => route.state === state).length;
  const counts = {
    ready: count('ready'),
    slow: count('slow'),
    deferred: count('deferred'),
    rejected: count('rejected'),
  };
  const endpoints = new Set(listed.map(({ route }) => route.endpoint));
  const accounts = new Set(listed.map(({ route }) => credentialId(route)));
  return {
    model: model.name,
    candidates: routes.length,
    probed: counts.ready + counts.slow + counts.deferred + counts.rejected,
    ...counts,
    postponed: count('postponed'),
    unreached: count('unreached'),
    escalations: countEscalations(round, accounts, settings),
    endpoints: endpoints.size,
    credentials: accounts.size,
    warnings: warningsOf(endpoints, accounts),
    stages: round === undefined ? [] : reportStages(round, model.name),
    routes,
  };
}

function countEscalations(
  round: Round | undefined,
  accounts: ReadonlySet<string>,
  { maxEscalations }: ProbeSettings,
): ReportedModel['escalations'] {
  const budget = maxEscalations * accounts.size;
  if (round === undefined) return { used: 0, denied: 0, budget };
  const all = [...accounts].map((account) => accountOf(round, account).escalations);
  const sum = (of: 'used' | 'denied'): number => all.reduce((total, one) => total + one[of], 0);
  return { used: sum('used'), denied: sum('denied'), budget };
}

function warningsOf(endpoints: ReadonlySet<string>, accounts: ReadonlySet<string>): readonly string[] {
  if (endpoints.size === 0) return ['it has no route'];
  const [endpoint] = endpoints;
  const [account] = accounts;
  return [
    ...(endpoints.size === 1 ? [`all of its routes are on one endpoint: ${endpoint}`] : []),
    ...(accounts.size === 1 ? [`all of its routes use one credential: ${account}`] : []),
  ];
}

function reportRoute(listed: Listed, round: Round | undefined, given: Given): ReportedRoute {
  const { target, route } = listed;
  const { health, now } = given;
  const { attempts = 0, escalation = null, latencyMs = null } = candidateOf(round, route) ?? {};
  const seen = availability(health, route, now);
  const state = stateOf(listed, round, given);
  const status = statusOf(state, health, route, round);
  const leftMs = seen.until === null ? 0 : Math.ceil(seen.until - now);
  return {
    route: route.id,
    provider: route.provider,
    model: route.model,
    credential: route.credential,
    endpoint: route.endpoint,
    tier: target.tier,
    state,
    reason: reasonOf(state, seen, listed, round, given),
    ...(status === null ? {} : { http_status: status }),
    attempts,
    ...(escalation === 'used' ? { escalated: true } : {}),
    ...(latencyMs === null ? {} : { latency_ms: Math.round(latencyMs) }),
    ...(seen.told && leftMs > 0 ? { retry_after_ms: leftMs } : {}),
    age_ms: ageOf(state, seen, given, route),
    next_check_at: seen.until === null || leftMs <= 0 ? null : timeOf(seen.until),
  };
}

/** The word for each state of health; a route that is ready for all we know is that only if we know it. */
const REPORTED: { readonly [S in Exclude<AvailabilityState, 'disabled'>]: ReportedState } = {
  ready: 'ready',
  slow: 'slow',
  deferred: 'deferred',
  open: 'deferred',
  half_open: 'deferred',
  rejected: 'rejected',
};

function stateOf(
  { route }: Listed,
  round: Round | undefined,
  { health, now, settings }: Given,
): ReportedRoute['state'] {
  const { state } = availability(health, route, now);
  if (state !== 'disabled' && isKnown(health, route, settings.everyMs, now)) return REPORTED[state];
  return round !== undefined && isSetAside(round, route, now) ? 'postponed' : 'unreached';
}

/** It was not asked, since its credential was limited when the round was over, or is now. */
function isSetAside(round: Round, route: Route, now: number): boolean {
  const candidate = candidateOf(round, route);
  const { postponedUntil, notBefore } = accountOf(round, credentialId(route));
  const over = round.stages.at(-1)?.endedAt ?? now;
  return candidate?.phase === 'waiting' && Math.max(postponedUntil, notBefore) > over;
}

/** A report asks for each route of a round several times; a round is never changed in place. */
const candidates = new WeakMap<Round, ReadonlyMap<string, RoundCandidate>>();

function candidateOf(round: Round | undefined, route: Route): RoundCandidate | undefined {
  if (round === undefined) return undefined;
  const known = candidates.get(round) ?? new Map(round.candidates.map((one) => [one.route, one]));
  candidates.set(round, known);
  return known.get(route.id);
}

function reasonOf(
  state: ReportedRoute['state'],
  { cause }: Availability,
  listed: Listed,
  round: Round | undefined,
  { health, now, settings }: Given,
): string | null {
  if (state === 'ready') return null;
  if (state === 'postponed') return 'rate_limited';
  if (state !== 'unreached') return cause;
  if (standingOf(health, listed, settings, now).word === 'priced') return 'priced';
  const candidate = candidateOf(round, listed.route);
  if (round === undefined || candidate === undefined) return 'no_round';
  if (candidate.phase === 'done') return 'outdated';
  if (candidate.phase === 'left') return 'not_sent';
  return round.end === 'complete' ? 'target_ready' : round.end;
}

/** Of what stands against it the status that was last seen; of a route that answered that of the probe. */
function statusOf(state: ReportedRoute['state'], health: HealthState, route: Route, round: Round | undefined) {
  const probed = candidateOf(round, route)?.status ?? null;
  return state === 'ready' || state === 'slow' ? probed : (scopeOf(health, 'route', route).last?.status ?? probed);
}

function ageOf(
  state: ReportedRoute['state'],
  { since }: Availability,
  { health, now }: Given,
  route: Route,
): number | null {
  if (state === 'unreached' || state === 'postponed') return null;
  const seenAt = state === 'ready' ? scopeOf(health, 'route', route).provedAt : since;
  return seenAt === null ? null : Math.max(0, Math.round(now - seenAt));
}

const timeOf = (at: number): string => new Date(at).toISOString();
