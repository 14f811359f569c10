import { type NextStep, nextStep, type StepPolicy } from '../core/attempt/next-step.ts';
import { learntCapabilities } from '../core/health/learnt-capabilities.ts';
import type { Frame } from '../core/model/event.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { Candidate } from '../core/routing/plan.ts';
import type { StreamPolicy } from '../core/stream/phase.ts';
import type { EncodedRequest } from '../protocol/types.ts';
import { answerDrain, answerEnding, answerInterruption, closeLeft } from './answer-client.ts';
import { concatBytes } from './bytes.ts';
import { JSON_HEADERS, STREAM_HEADERS, upstreamHeaders } from './headers.ts';
import type { Planner } from './planner.ts';
import type { AnswerSink } from './reader/index.ts';
import { arm, type RequestContext, record, sleep } from './request-context.ts';
import { RunningAttempt } from './run-attempt.ts';
import { type Settled, settleAttempt } from './settle-attempt.ts';
import type { EngineShared } from './shared.ts';

type Send = Extract<NextStep, { type: 'send' }>;

/**
 * The one loop: ask core for the next step, perform it, until the client has its end. Only here is anything sent again.
 */
export async function serveRequest(context: RequestContext, shared: EngineShared): Promise<void> {
  const { call, ports } = context;
  const planner = shared.planners.create(call);
  context.plan = planner.plan(ports.clock.now(), context.random);
  recordStart(context);
  for (;;) {
    if (isClientGone(context)) return closeLeft(context, 'client_closed');
    const plan = context.plan;
    const now = ports.clock.now();
    if (plan === null || context.ledger === null) return;
    if (context.stopped === 'drain') return answerDrain(context);
    const { busy, roundStartedAt, random } = context;
    const step = nextStep({
      ledger: context.ledger,
      plan,
      policy: policyOf(context),
      now,
      random,
      roundStartedAt,
      busy,
    });
    if (step.type === 'fail') return answerEnding(context, step.ending);
    if (step.type === 'wait') await waitUntil(context, step);
    else if (step.type === 'send') {
      const settled = await send(context, shared, planner, step);
      if (settled?.next === 'go_on') planner.giveBack();
      if (settled !== null && settled.next !== 'go_on') return finish(context, settled);
    } else return;
    context.plan = planner.plan(ports.clock.now(), context.random);
  }
}

const isClientGone = ({ stopped }: RequestContext): boolean =>
  stopped === 'client_left' || stopped === 'client_stalled';

function policyOf({ call, commitAt, totalAt }: RequestContext): StepPolicy {
  const { failover } = call.options;
  return { settings: call.model.settings, commitAt, totalAt, failover, effects: call.request.effects };
}

function recordStart(context: RequestContext): void {
  const { call, ports, plan } = context;
  record(context, {
    type: 'request_started',
    request: call.id,
    at: call.receivedAt,
    owner: ports.owner,
    model: call.model.name,
    protocol: call.request.protocol,
    stream: call.request.stream,
    key: call.key,
    clientRequestId: call.clientRequestId,
    clientRetryOf: call.isClientRetry ? call.turn : null,
    plan,
  });
}

async function waitUntil(context: RequestContext, step: Extract<NextStep, { type: 'wait' }>): Promise<void> {
  await sleep(context, step.untilAt);
  if (!step.newRound) return;
  context.roundStartedAt = context.ports.clock.now();
  context.busy.clear();
}

function finish(context: RequestContext, settled: Exclude<Settled, { next: 'go_on' }>): void {
  if (settled.next === 'left') closeLeft(context, settled.outcome);
  else if (settled.next === 'interrupted') answerInterruption(context, settled);
  else {
    context.relay.end();
    closeLeft(context, settled.outcome);
  }
}

/** One attempt, from the places that it needs to its books. Null: it could not be had, and nothing was sent. */
async function send(
  context: RequestContext,
  shared: EngineShared,
  planner: Planner,
  step: Send,
): Promise<Settled | null> {
  const { call, ports, busy } = context;
  const { candidate } = step;
  const provider = call.settings.providers.get(candidate.route.provider);
  const secret = provider?.credentials.find(({ name }) => name === candidate.route.credential)?.secret;
  if (provider === undefined || secret === undefined) {
    busy.add(candidate.route.id);
    return null;
  }
  const place = await shared.limiter.acquire(provider.name, provider.limits.concurrency, provider.limits.queueMs);
  if (place === null || context.stopped !== null) {
    busy.add(candidate.route.id);
    place?.();
    return null;
  }
  if (candidate.use === 'trial' && !(await ports.health.claimTrial(candidate.route, ports.clock.now()))) {
    busy.add(candidate.route.id);
    place();
    return null;
  }
  try {
    planner.take(candidate.route);
    const encoded = encode(context, step);
    return await attempt(context, planner, step, {
      encoded,
      headers: { ...provider.headers, ...call.forward, ...encoded.headers, ...call.codec.authHeaders(secret) },
      origin: provider.origin,
      path: `${provider.basePath}${encoded.path}`,
    });
  } finally {
    place();
  }
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

type Outgoing = {
  readonly encoded: EncodedRequest;
  readonly headers: Headers;
  readonly origin: string;
  readonly path: string;
};

async function attempt(context: RequestContext, planner: Planner, step: Send, outgoing: Outgoing): Promise<Settled> {
  const { call, ports } = context;
  const { candidate } = step;
  const { route, target } = candidate;
  const n = (context.ledger?.attempts.length ?? 0) + 1;
  record(context, {
    type: 'attempt_started',
    request: call.id,
    at: ports.clock.now(),
    n,
    route: route.id,
    target: route.target,
    credential: route.credential,
    endpoint: route.endpoint,
    why: step.why,
    charged: step.charged,
    trial: candidate.use === 'trial',
    plan: n === 1 ? null : context.plan,
  });
  const { settings } = target;
  let upstream: Headers = {};
  const running = new RunningAttempt({
    clock: ports.clock,
    http: ports.http,
    route,
    request: {
      origin: outgoing.origin,
      path: outgoing.path,
      method: 'POST',
      headers: outgoing.headers,
      body: outgoing.encoded.body,
      connectTimeoutMs: settings.timeouts.connectMs,
      freshSocket: step.freshSocket,
    },
    settings,
    reader: {
      codec: call.codec,
      decoder: {
        usageAsked: call.request.usageAsked,
        choices: call.request.choices,
        renameModel: settings.responseModel === 'virtual' ? call.request.model : null,
        onMalformed: settings.onMalformed,
        maxOutputTokens: call.request.maxOutputTokens ?? settings.defaults.maxOutputTokens ?? null,
        maxFrameBytes: MAX_FRAME_BYTES,
      },
      policy: streamPolicy(context, step),
      wantsStream: call.request.stream,
      sink: createSink(context, planner, candidate, n, () => upstream),
    },
    isReplayable: call.request.effects.length === 0,
    onHead(status, headers) {
      upstream = headers;
      record(context, { type: 'head', request: call.id, at: ports.clock.now(), n, status });
    },
    onProgress: () => arm(context),
  });
  context.attempt = running;
  if (context.blockedAt !== null) running.pause(ports.clock.now());
  arm(context);
  const end = await running.done;
  context.attempt = null;
  return settleAttempt(context, candidate, running, end);
}

/** Bound of one SSE frame under assembly. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;

function streamPolicy({ call, ledger }: RequestContext, step: Send): StreamPolicy {
  const { commitOn, onContentPolicy, holdToolEnd, preflight, onEmpty } = step.candidate.target.settings;
  const hadEmpty = ledger?.attempts.some(({ outcome }) => outcome === 'empty_completion') ?? false;
  const acceptEmpty = onEmpty === 'accept' || step.last || hadEmpty || call.request.endsWithToolResult;
  return { commitOn, onContentPolicy, holdToolEnd, preflight, acceptEmpty };
}

/** Binds the answer to the attempt, then hands its bytes to the client. */
function createSink(
  context: RequestContext,
  planner: Planner,
  { route }: Candidate,
  n: number,
  upstream: () => Headers,
): AnswerSink {
  const { call, ports, relay } = context;
  return {
    commit(form) {
      context.isCommitted = true;
      const at = ports.clock.now();
      record(context, { type: 'committed', request: call.id, at, n });
      const startedAt = context.ledger?.attempts.at(-1)?.startedAt ?? at;
      const trial = context.ledger?.attempts.at(-1)?.trial ?? false;
      ports.health.observe({
        kind: 'first_output',
        route,
        startedAt,
        at,
        failure: null,
        limitMs: null,
        ownLimitMs: null,
        trial,
        probe: false,
        turn: call.turn,
      });
      planner.keep(route, at);
      const own = {
        'x-understudy-target': route.target,
        'x-understudy-attempts': String(n),
        'x-understudy-model': call.model.name,
      };
      if (relay.isStreaming) relay.write(call.codec.encodeComment(`understudy target=${route.target} attempts=${n}`));
      else {
        const base = form === 'stream' ? STREAM_HEADERS : JSON_HEADERS;
        relay.open(200, { ...upstreamHeaders(upstream(), ports.clean), ...base, ...own });
      }
    },
    frames(frames: readonly Frame[]) {
      relay.write(concatBytes(frames.map((frame) => frame.bytes)));
    },
    json(bytes, isLast) {
      if (isLast) relay.end(bytes);
      else relay.write(bytes);
    },
  };
}
