import type { AttemptRecord } from '../core/attempt/ledger.ts';
import type { Failure } from '../core/failure/failure.ts';
import { failureOfRow } from '../core/failure/failure-of-row.ts';
import { isLimited } from '../core/failure/is-limited.ts';
import type { Outcome } from '../core/failure/outcome.ts';
import { availability } from '../core/health/availability-of.ts';
import type { Observation } from '../core/health/observation.ts';
import { isCurrent } from '../core/health/scope.ts';
import type { Usage } from '../core/model/usage.ts';
import type { ProbeResult } from '../core/readiness/round.ts';
import type { ProbeSettings } from '../core/readiness/settings.ts';
import type { Route, Target } from '../core/routing/candidate.ts';
import type { Probed } from '../engine/index.ts';
import type { ProberPorts } from './ports.ts';

/** A route, where it is listed first. */
export type ListedRoute = { readonly model: string; readonly target: Target; readonly route: Route };

export type Asking = {
  readonly listed: ListedRoute;
  readonly tokens: number;
  readonly onStart: (stop: () => void) => void;
};

/** What one probe has shown, and what is to be told of it. */
export type Answer = ProbeResult & {
  readonly outcome: Outcome | null;
  readonly request: string;
  /** No probe can be written for it here. */
  readonly isUnaskable: boolean;
};

/** Sends one probe. Resolves when it is settled; never rejects. An answer that came late makes its route slow. */
export async function askRoute(ports: ProberPorts, asking: Asking): Promise<Answer> {
  const { engine, config, settings, ids } = ports;
  const { listed, tokens, onStart } = asking;
  const { model, target, route } = listed;
  const { probe } = config().readiness;
  const request = ids();
  const limitMs = limitOf(target, probe);
  const probed = await engine.probe({
    id: request,
    model,
    target,
    route,
    tokens,
    limitMs,
    settings: settings(),
    onStart,
  });
  const attempt = probed.record?.attempts.at(-1);
  // One that has become another meanwhile is none of which anything was learnt.
  const isOther = !isCurrent(ports.health.snapshot(), route);
  if (isOther || attempt === undefined || attempt.outcome === null || STOPPED.has(attempt.outcome))
    return { ...UNSENT, request, isUnaskable: probed.record === null };
  const latencyMs = (attempt.committedAt ?? attempt.endedAt ?? attempt.startedAt) - attempt.startedAt;
  if (probed.hasOutput && latencyMs > probe.slowAfterMs) observe(ports, route, { kind: 'slow', agoMs: latencyMs });
  return { ...readAttempt(ports, route, attempt, probed, latencyMs), request, isUnaskable: false };
}

/**
 * So long a probe waits for its first output. Not less than half of the route's own limit: a timeout that comes sooner
 * says nothing about it.
 */
export const limitOf = (
  { settings }: Pick<Target, 'settings'>,
  { slowAfterMs }: Pick<ProbeSettings, 'slowAfterMs'>,
) => {
  const own = settings.timeouts.firstOutputMs;
  return Math.min(own, Math.max(slowAfterMs, own / 2));
};

/** Ended from here: nothing was learnt. */
const STOPPED: ReadonlySet<Outcome> = new Set<Outcome>(['client_closed', 'abandoned']);

/** Nothing came of it. */
export const UNSENT = {
  state: null,
  status: null,
  latencyMs: 0,
  tokens: null,
  lacksRoom: false,
  limited: null,
  outcome: null,
} as const;

function readAttempt(
  { health, clock }: ProberPorts,
  route: Route,
  { outcome, status, usage }: AttemptRecord,
  { hasOutput }: Probed,
  latencyMs: number,
): Omit<Answer, 'request' | 'isUnaskable'> {
  const now = clock.now();
  const { state, until, told } = availability(health.snapshot(), route, now);
  return {
    state,
    status,
    latencyMs,
    tokens: tokensOf(usage),
    lacksRoom: !hasOutput && outcome !== null && SILENT.has(outcome),
    limited: isLimited({ outcome, status }) && state === 'deferred' ? { until: until ?? now, told } : null,
    outcome,
  };
}

const tokensOf = (usage: Usage | null): number | null =>
  usage === null || (usage.inputTokens === null && usage.outputTokens === null)
    ? null
    : (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);

/**
 * It ended and said nothing: the limit left no room for text, all of it went into thoughts that nobody sees, or a filter
 * took it.
 */
const SILENT: ReadonlySet<Outcome> = new Set<Outcome>([
  'ok',
  'ok_truncated',
  'ok_filtered',
  'refused',
  'empty_completion',
]);

/** A route that had room for text and has shown none: no half of a failure, as an empty answer to a client is. */
export const observeDry = (ports: Pick<ProberPorts, 'health' | 'clock'>, route: Route): void =>
  observe(ports, route, {
    kind: 'failure',
    agoMs: 0,
    failure: { ...failureOfRow('no_output', 'it answered a probe without any text'), weight: 1 },
  });

type Seen = { readonly kind: Observation['kind']; readonly agoMs: number; readonly failure?: Failure };

function observe({ health, clock }: Pick<ProberPorts, 'health' | 'clock'>, route: Route, seen: Seen): void {
  const at = clock.now();
  health.observe({
    kind: seen.kind,
    route,
    startedAt: at - seen.agoMs,
    at,
    failure: seen.failure ?? null,
    limitMs: null,
    ownLimitMs: null,
    trial: false,
    probe: true,
    turn: null,
  });
}
