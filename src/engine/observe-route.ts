import type { Observation } from '../core/health/observation.ts';
import { reachOnly } from '../core/health/reach-only.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { RequestContext } from './request-context.ts';

/** What is to be said of a route; what is left out is unknown, or of this moment. */
export type Seen = Pick<Observation, 'kind' | 'startedAt' | 'trial'> & Partial<Observation>;

/** Tells the health store what one request has learnt of a route. */
export function observeRoute({ ports, call }: RequestContext, route: Route, seen: Seen): void {
  const observation: Observation = {
    at: ports.clock.now(),
    failure: null,
    limitMs: null,
    ownLimitMs: null,
    ...seen,
    route,
    probe: call.kind === 'probe',
    turn: call.turn,
  };
  ports.health.observe(call.codec.tells === 'endpoint' ? reachOnly(observation) : observation);
}
