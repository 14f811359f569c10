import type { Route } from '../core/routing/candidate.ts';
import type { Candidate } from '../core/routing/plan.ts';
import { observeRoute } from './observe-route.ts';
import { awaitUntil, type RequestContext } from './request-context.ts';

/** Other instances may have to be asked; nobody waits longer than this for a trial, but goes elsewhere. */
const CLAIM_MS = 50;

/** The half-open trial is for those whose end can tell how it went; others are sent without. */
export const isTrial = ({ call }: RequestContext, { use }: Candidate): boolean =>
  use === 'trial' && call.codec.tells === undefined;

/**
 * Takes the half-open slot that an attempt on this route needs now. False: it is taken, the answer is late, or the
 * request was stopped meanwhile. A grant that comes too late is handed on at once.
 */
export async function claimTrial(context: RequestContext, route: Route): Promise<boolean> {
  const { ports } = context;
  const claimed = ports.health.claimTrial(route, ports.clock.now());
  if (typeof claimed === 'boolean') return claimed;
  const answer = claimed.catch(() => false);
  const granted = await awaitUntil(context, ports.clock.now() + CLAIM_MS, answer);
  if (granted === null) void answer.then((late) => late && releaseTrial(context, route));
  return granted === true;
}

/** Hands the slot on without a verdict. */
export function releaseTrial(context: RequestContext, route: Route): void {
  observeRoute(context, route, { kind: 'released', startedAt: context.ports.clock.now(), trial: true });
}
