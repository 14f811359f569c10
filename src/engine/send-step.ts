import { learntCapabilities } from '../core/health/learnt-capabilities.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import type { EncodedRequest } from '../protocol/types.ts';
import { claimTrial, releaseTrial } from './claim-trial.ts';
import { joinPath } from './join-path.ts';
import type { GiveBack } from './limiter.ts';
import { makeAttempt, type Send } from './make-attempt.ts';
import type { Planner } from './planner.ts';
import type { RequestContext } from './request-context.ts';
import type { Settled } from './settle-attempt.ts';
import type { EngineShared } from './shared.ts';

/** One attempt, from the places that it needs to its books. Null: it could not be had, and nothing was sent. */
export async function sendStep(
  context: RequestContext,
  shared: EngineShared,
  planner: Planner,
  step: Send,
): Promise<Settled | null> {
  const { call, busy } = context;
  const { candidate } = step;
  const { route } = candidate;
  const provider = call.settings.providers.get(route.provider);
  const secret = provider?.credentials.find(({ name }) => name === route.credential)?.secret;
  if (provider === undefined || secret === undefined) {
    busy.add(route.id);
    return null;
  }
  const place = await findPlace(context, shared, provider);
  try {
    if (context.stopped !== null) return null;
    if (place === null) {
      busy.add(route.id);
      return null;
    }
    // Before the claim: a request that can't be written must not take anybody's trial with it.
    const encoded = encode(context, step);
    if (candidate.use === 'trial' && !(await claimTrial(context, route))) {
      busy.add(route.id);
      return null;
    }
    if (context.stopped !== null) {
      if (candidate.use === 'trial') releaseTrial(context, route);
      return null;
    }
    planner.take(route);
    return await makeAttempt(context, planner, step, {
      encoded,
      headers: {
        ...forwardTo(context, provider.name),
        ...provider.headers,
        ...encoded.headers,
        ...call.codec.authHeaders(secret),
      },
      origin: provider.origin,
      path: joinPath(provider.basePath, encoded.path),
    });
  } finally {
    place?.();
  }
}

/** A provider answers a key that it knows with what it answered before, and that was a failure. */
const ONCE = 'idempotency-key';

function forwardTo({ call, ledger }: RequestContext, provider: string): Headers {
  const isRepeat = ledger?.attempts.some(({ route }) => route.startsWith(`${provider}/`)) ?? false;
  if (!isRepeat || call.forward[ONCE] === undefined) return call.forward;
  return Object.fromEntries(Object.entries(call.forward).filter(([name]) => name !== ONCE));
}

/** A place under the provider's limit; null when none came free in time, or the request was stopped meanwhile. */
async function findPlace(
  context: RequestContext,
  { limiter }: EngineShared,
  { name, limits }: ProviderRuntime,
): Promise<GiveBack | null> {
  const place = await limiter.acquire(name, limits.concurrency, limits.queueMs, (giveUp) => {
    context.awaken = giveUp;
  });
  context.awaken = null;
  return place;
}

function encode(context: RequestContext, step: Send): EncodedRequest {
  const { call, ports } = context;
  const { target, route } = step.candidate;
  const learnt = learntCapabilities(ports.health.snapshot(), target.id, ports.clock.now());
  const capabilities = { ...learnt, ...target.capabilities };
  const mayAsk = target.settings.usage === 'ask' && capabilities.streamUsage !== false && !step.withoutStreamOptions;
  return call.codec.encodeRequest(call.request, {
    model: route.model,
    capabilities: step.withoutStreamOptions ? { ...capabilities, streamUsage: false } : capabilities,
    askUsage: mayAsk && call.request.stream,
    withoutState: step.withoutState,
    defaults: target.settings.defaults,
  });
}
