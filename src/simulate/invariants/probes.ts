import type { Outcome } from '../../core/failure/outcome.ts';
import { availability } from '../../core/health/availability-of.ts';
import { credentialId } from '../../core/health/scope.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { Run } from '../world/run.ts';
import { type AttemptCase, HAIR_MS, type ProbeCase, type RunIndex } from './index-run.ts';
import { isServedOutcome } from './world-words.ts';

/** What a probe is for, by the limit of its tokens. */
export type ProbeKind = 'first' | 'repeat' | 'recovery';

/** Room that a probe of a route that is out has at most, where the configuration does not give every probe more. */
const RECOVERY_TOKENS = 64;

/** Null: its tokens do not tell. */
export function kindOf({ config }: Run, { probe }: ProbeCase): ProbeKind | null {
  const { tokens, escalatedTokens } = config.readiness.probe;
  const recovery = Math.max(tokens, Math.min(escalatedTokens, RECOVERY_TOKENS));
  if (new Set([tokens, escalatedTokens, recovery]).size < 3) return null;
  if (probe.tokens === recovery) return 'recovery';
  return probe.tokens === escalatedTokens ? 'repeat' : 'first';
}

/** Ended from here: nothing was learnt. */
const STOPPED: ReadonlySet<Outcome> = new Set<Outcome>(['client_closed', 'abandoned']);

/** It was sent and came to an end of its own; one that was not costs nothing. */
export function isSent({ attempts }: ProbeCase): boolean {
  const outcome = attempts.at(-1)?.ended?.outcome ?? null;
  return outcome !== null && !STOPPED.has(outcome);
}

export const accountOf = ({ probe }: ProbeCase): string => credentialId(probe.route);

/** It had begun and was surely not over. */
export const isUnderway = ({ probe }: ProbeCase, at: number): boolean =>
  probe.at <= at && (probe.endedAt === null || probe.endedAt > at + HAIR_MS);

/** Ids of routes, with the moments at which each of them answered well, in order. */
export function provedMoments({ byRoute, probes }: RunIndex): ReadonlyMap<string, readonly number[]> {
  const dry = new Set(probes.filter(({ probe }) => !probe.hasOutput).map(({ id }) => id));
  const proved = new Map<string, readonly number[]>();
  for (const [route, attempts] of byRoute) {
    const moments = attempts
      .filter((each) => hasAnswered(each) && !dry.has(each.started.request))
      .flatMap(({ ended }) => (ended === null ? [] : [ended.at]));
    proved.set(route, moments);
  }
  return proved;
}

const hasAnswered = ({ ended, send }: AttemptCase): boolean =>
  ended !== null && isServedOutcome(ended.outcome) && send?.truth != null;

/** Each model that lists a route has another one that is ready: what is left of a limit is for clients where none has. */
export function hasOther({ config }: Run, health: HealthState, route: Route, at: number): boolean {
  const isReady = (other: Route): boolean => other.id !== route.id && availability(health, other, at).state === 'ready';
  return [...config.models.values()]
    .map(({ targets }) => targets.flatMap(({ routes }) => routes))
    .filter((routes) => routes.some(({ id }) => id === route.id))
    .every((routes) => routes.some(isReady));
}
