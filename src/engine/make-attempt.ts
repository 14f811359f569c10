import { acceptsEmpty } from '../core/attempt/accept-empty.ts';
import type { NextStep } from '../core/attempt/next-step.ts';
import { provedParts } from '../core/health/learnt-capabilities.ts';
import { nameOfPart } from '../core/model/capability.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { StreamPolicy } from '../core/stream/phase.ts';
import { concatBytes } from '../protocol/json/index.ts';
import type { EncodedRequest, ProtocolCodec } from '../protocol/types.ts';
import { createSink } from './answer-sink.ts';
import { isTrial } from './claim-trial.ts';
import type { Planner } from './planner.ts';
import { arm, countHeld, noteSent, type RequestContext, record } from './request-context.ts';
import type { ResponseStore } from './response-store.ts';
import { type AttemptInput, RunningAttempt } from './run-attempt.ts';
import { type Settled, settleAttempt } from './settle-attempt.ts';

export type Send = Extract<NextStep, { type: 'send' }>;

/** A request as it goes to a provider. */
export type Outgoing = {
  /** See `attemptCodec`. */
  readonly codec: ProtocolCodec;
  readonly encoded: EncodedRequest;
  /** It holds what came before, which the client only named. */
  readonly isRebuilt: boolean;
  readonly responses: ResponseStore;
  /** Of the attempt, in its trace; null: nobody traces. */
  readonly span: string | null;
  readonly headers: Headers;
  readonly origin: string;
  readonly path: string;
};

/** One attempt, from its first fact to its books. */
export async function makeAttempt(
  context: RequestContext,
  planner: Planner,
  step: Send,
  outgoing: Outgoing,
): Promise<Settled> {
  const { call, ports } = context;
  const { candidate } = step;
  const n = (context.ledger?.attempts.length ?? 0) + 1;
  const { codec, encoded } = outgoing;
  const isTranslated = codec.isTranslated === true;
  recordAttempt(context, step, n, outgoing);
  noteSent(context, isTranslated ? concatBytes([...encoded.body]) : null);
  let upstream: Headers = {};
  const sink = createSink(
    context,
    planner,
    { route: candidate.route, n, dropped: encoded.dropped ?? [], isTranslated, responses: outgoing.responses },
    () => upstream,
  );
  const running = new RunningAttempt({
    clock: ports.clock,
    http: ports.http,
    route: candidate.route,
    request: {
      origin: outgoing.origin,
      path: outgoing.path,
      method: outgoing.encoded.method ?? 'POST',
      headers: outgoing.headers,
      body: outgoing.encoded.body,
      connectTimeoutMs: candidate.target.settings.timeouts.connectMs,
      freshSocket: step.freshSocket || outgoing.encoded.isOnce === true,
    },
    sentBetas: outgoing.encoded.sentBetas,
    settings: candidate.target.settings,
    reader: { ...readerInput(context, step, codec), sink },
    onHead(status, headers) {
      upstream = headers;
      record(context, { type: 'head', request: call.id, at: ports.clock.now(), n, status });
    },
    onProgress() {
      countHeld(context);
      arm(context);
    },
  });
  context.attempt = running;
  if (context.blockedAt !== null) running.pause(ports.clock.now());
  arm(context);
  const end = await running.done;
  context.attempt = null;
  countHeld(context);
  if (context.isCommitted) {
    context.answerId = running.answerId();
    planner.keepAnswer(candidate.route, context.answerId, ports.clock.now(), isTranslated);
    planner.keepSeals(candidate.route, running.seals(), ports.clock.now());
    if (outgoing.encoded.leftOut !== undefined) context.edits.add('request_parts_left_out');
  }
  const proved = provedParts(step.withoutParts, outgoing.encoded.leftOut ?? []);
  return settleAttempt(context, candidate, running, end, proved);
}

/** Before the bytes go out: what was sent is on record, whatever happens next. */
function recordAttempt(
  context: RequestContext,
  { candidate, why, charged }: Send,
  n: number,
  outgoing: Outgoing,
): void {
  const { id, target, credential, endpoint } = candidate.route;
  record(context, {
    type: 'attempt_started',
    request: context.call.id,
    at: context.ports.clock.now(),
    n,
    route: id,
    target,
    credential,
    endpoint,
    why: whyOf(why, outgoing, context.ports.clean),
    charged,
    trial: isTrial(context, candidate),
    plan: n === 1 ? null : context.plan,
    ...(outgoing.span === null ? {} : { span: outgoing.span }),
  });
  const attempt = context.ledger?.attempts[n - 1];
  if (context.ledger !== null && attempt !== undefined)
    context.ports.telemetry.attemptStarted(context.ledger.started, attempt);
}

/** Why this target, and what of the request it does not get. Parts have the names that clients and providers gave them. */
function whyOf(why: string, { encoded, isRebuilt }: Outgoing, clean: (text: string) => string): string {
  const { leftOut = [], dropped = [] } = encoded;
  if (leftOut.length === 0 && dropped.length === 0 && !isRebuilt) return why;
  const parts = [
    why,
    ...(isRebuilt ? ['the conversation was rebuilt from what is kept of it'] : []),
    ...(leftOut.length === 0 ? [] : [`left out: ${leftOut.map(nameOfPart).join(', ')}`]),
    ...(dropped.length === 0 ? [] : [`dropped in translation: ${dropped.join(', ')}`]),
  ];
  return clean(parts.join('; '));
}

/** Bound of one SSE frame under assembly. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024;

function readerInput(context: RequestContext, step: Send, codec: ProtocolCodec): Omit<AttemptInput['reader'], 'sink'> {
  const { request } = context.call;
  const { settings } = step.candidate.target;
  return {
    codec,
    decoder: {
      usageAsked: request.usageAsked,
      choices: request.choices,
      renameModel: settings.responseModel === 'virtual' ? request.model : null,
      onMalformed: settings.onMalformed,
      maxOutputTokens: request.maxOutputTokens ?? settings.defaults.maxOutputTokens ?? null,
      ...(request.background === undefined ? {} : { background: request.background }),
      maxFrameBytes: MAX_FRAME_BYTES,
    },
    policy: streamPolicy(context, step),
    wantsStream: request.stream,
  };
}

function streamPolicy({ call, ledger }: RequestContext, step: Send): StreamPolicy {
  const { commitOn, onContentPolicy, holdToolEnd, preflight, onEmpty } = step.candidate.target.settings;
  const acceptEmpty = acceptsEmpty({
    onEmpty,
    isLast: step.last,
    endsWithToolResult: call.request.endsWithToolResult,
    attempts: ledger?.attempts ?? [],
  });
  return { commitOn, onContentPolicy, holdToolEnd, preflight, acceptEmpty };
}
