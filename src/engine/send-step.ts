import { forwardHeaders, withoutTrace, withoutVendors } from '../core/attempt/forward-headers.ts';
import type { NextStep } from '../core/attempt/next-step.ts';
import { knownCapabilities } from '../core/health/learnt-capabilities.ts';
import type { Capabilities } from '../core/model/capability.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import { revealAll, type Secret } from '../core/redact/secret.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import { createSpanId, writeTraceHeaders } from '../core/trace/index.ts';
import { holdsEnvelope } from '../protocol/translate/index.ts';
import type { Egress } from '../protocol/types.ts';
import { attemptCodec } from './attempt-codec.ts';
import { claimTrial, isTrial, releaseTrial } from './claim-trial.ts';
import { joinPath } from './join-path.ts';
import type { GiveBack } from './limiter.ts';
import { makeAttempt, type Send } from './make-attempt.ts';
import type { Planner } from './planner.ts';
import type { RequestContext } from './request-context.ts';
import type { Settled } from './settle-attempt.ts';
import type { EngineShared } from './shared.ts';

/**
 * One attempt, from the places that it needs to its books. Null: it could not be had, and nothing was sent. `chooseAgain`
 * says what to do by what is known now: behind a wait for a place that may be another step.
 */
export async function sendStep(
  context: RequestContext,
  shared: EngineShared,
  planner: Planner,
  chosen: Send,
  chooseAgain: () => Promise<NextStep>,
): Promise<Settled | null> {
  const { call } = context;
  const { route } = chosen.candidate;
  const provider = call.settings.providers.get(route.provider);
  if (provider === undefined || secretOf(provider, route) === null) {
    noteBusy(context, route.id);
    return null;
  }
  const found = findPlace(context, shared, provider);
  const hasWaited = found instanceof Promise;
  const place = await found;
  try {
    if (context.stopped !== null) return null;
    if (place === null) {
      noteFull(context, route);
      return null;
    }
    const step = hasWaited ? await chooseAgain() : chosen;
    // The place is the provider's, whichever of its routes it is for by now: who gave it back would wait once more.
    if (step.type !== 'send' || step.candidate.route.provider !== provider.name) return null;
    const secret = secretOf(provider, step.candidate.route);
    if (secret !== null) return await claimAndSend(context, shared, planner, step, { provider, secret });
    noteBusy(context, step.candidate.route.id);
    return null;
  } finally {
    place?.();
  }
}

const secretOf = ({ credentials }: ProviderRuntime, { credential }: Route): Secret | null =>
  credentials.find(({ name }) => name === credential)?.secret ?? null;

type Sender = { readonly provider: ProviderRuntime; readonly secret: Secret };

/** With a place at the provider. Null: the trial that it would have been is somebody else's, or the request was stopped. */
async function claimAndSend(
  context: RequestContext,
  shared: EngineShared,
  planner: Planner,
  step: Send,
  { provider, secret }: Sender,
): Promise<Settled | null> {
  const { call } = context;
  const { route } = step.candidate;
  // Before the claim: a request that can't be written must not take anybody's trial with it.
  const request = context.history?.requestFor(route, step.withoutState) ?? call.request;
  const span = context.trace === null ? null : createSpanId(() => context.ports.random.next());
  const along = headersAlong(context, provider, request.protocol !== route.protocol, span);
  const egress = egressOf(context, step, request, along);
  const found = attemptCodec(context, request, route.protocol, egress);
  const codec = found instanceof Promise ? await found : found;
  if (codec === null) {
    if (context.stopped === null) noteBusy(context, route.id);
    return null;
  }
  const encoded = codec.encodeRequest(request, egress);
  const needsClaim = isTrial(context, step.candidate);
  if (needsClaim && !(await claimTrial(context, route))) {
    noteBusy(context, route.id);
    return null;
  }
  if (context.stopped !== null) {
    if (needsClaim) releaseTrial(context, route);
    return null;
  }
  planner.take(route);
  return await makeAttempt(context, planner, step, {
    codec,
    encoded,
    isRebuilt: request !== call.request,
    span,
    responses: shared.responses,
    headers: joinHeaders(along, encoded.headers, (headers) => codec.authHeaders(secret, provider.auth, headers)),
    origin: provider.origin,
    path: joinPath(provider.basePath, encoded.path),
  });
}

const noteBusy = ({ busy, ledger }: RequestContext, route: string): void =>
  void busy.set(route, ledger?.attempts.length ?? 0);

/** A provider that had no place had none for any of its routes: nobody waits for it once per key. */
function noteFull(context: RequestContext, { id, provider }: Route): void {
  noteBusy(context, id);
  for (const { route } of context.plan?.candidates ?? []) if (route.provider === provider) noteBusy(context, route.id);
}

/** A place under the provider's limit; null when none came free in time, or the request was stopped meanwhile. */
function findPlace(
  context: RequestContext,
  { limiter }: EngineShared,
  { name, limits }: ProviderRuntime,
): Promise<GiveBack | null> | GiveBack {
  const place = limiter.acquire(name, limits.concurrency, limits.queueMs, (giveUp) => {
    context.awaken = giveUp;
  });
  if (!(place instanceof Promise)) return place;
  return place.finally(() => {
    context.awaken = null;
  });
}

/** Later ones stand above earlier ones, the key's above all; one that turns out empty is not sent. */
function joinHeaders(along: Headers, encoded: Headers, auth: (headers: Headers) => Headers): Headers {
  const filled = Object.entries({ ...along, ...encoded }).filter(([, value]) => value !== '');
  const headers: Headers = Object.fromEntries(filled);
  return { ...headers, ...auth(headers) };
}

function headersAlong(
  { call, ledger, trace }: RequestContext,
  provider: ProviderRuntime,
  isTranslated: boolean,
  span: string | null,
): Headers {
  const own = isTranslated ? withoutVendors(call.forward) : call.forward;
  const forward = trace === null || span === null ? own : { ...withoutTrace(own), ...writeTraceHeaders(trace, span) };
  return {
    ...forwardHeaders(forward, ledger?.attempts ?? [], provider.name),
    ...revealAll(provider.headers),
  };
}

function egressOf({ ports }: RequestContext, step: Send, request: CanonicalRequest, headers: Headers): Egress {
  const { target, route } = step.candidate;
  const capabilities = without(step, knownCapabilities(ports.health.snapshot(), target, ports.clock.now()));
  const mayAsk = target.settings.usage === 'ask' && capabilities.streamUsage !== false;
  return {
    model: route.model,
    capabilities,
    askUsage: mayAsk && request.stream,
    withoutState: step.withoutState || (request.protocol === route.protocol && holdsEnvelope(request)),
    defaults: target.settings.defaults,
    headers,
  };
}

/** What the target refused of this very request stands above all that is known of it. */
function without({ withoutStreamOptions, withoutParts }: Send, known: Capabilities): Capabilities {
  return {
    ...known,
    ...(withoutStreamOptions ? { streamUsage: false } : {}),
    ...(withoutParts.length === 0 ? {} : { leaveOut: [...(known.leaveOut ?? []), ...withoutParts] }),
  };
}
