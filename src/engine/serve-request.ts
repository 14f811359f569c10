import type { RequestLedger } from '../core/attempt/ledger.ts';
import { type NextStep, nextStep, type StepPolicy } from '../core/attempt/next-step.ts';
import type { StopCause } from '../core/failure/answer-class.ts';
import type { Plan } from '../core/routing/plan.ts';
import { recordTrace } from '../core/trace/index.ts';
import { answerDrain, answerEnding, answerInterruption, closeLeft, prepareEnding } from './answer-client.ts';
import type { Planner } from './planner.ts';
import { awaitUntil, countHeld, deadlinesOf, type RequestContext, record, sleep } from './request-context.ts';
import { sendStep } from './send-step.ts';
import type { Settled } from './settle-attempt.ts';
import type { EngineShared } from './shared.ts';

/**
 * The one loop: ask core for the next step, perform it, until the client has its end. Only here is anything sent again.
 */
export async function serveRequest(context: RequestContext, shared: EngineShared): Promise<void> {
  const planner = shared.planners.create(context.call, context.translations);
  try {
    if (!plan(context, planner)) await readAndPlan(context, planner);
    recordStart(context);
    while (await advance(context, shared, planner)) if (!plan(context, planner)) await readAndPlan(context, planner);
  } catch (error) {
    planner.giveBack();
    if (context.ledger === null) recordStart(context);
    throw error;
  }
}

/** False: the plan needs to know more of a large request than is known yet. */
function plan(context: RequestContext, planner: Planner): boolean {
  context.plan = planner.plan(context.ports.clock.now(), context.random);
  context.history = planner.history;
  countHeld(context);
  return !context.translations.hasUnread;
}

/** Whoever is stopped meanwhile has a plan, too: the one that knew no better. */
async function readAndPlan(context: RequestContext, planner: Planner): Promise<void> {
  do await awaitUntil(context, Number.POSITIVE_INFINITY, context.translations.read());
  while (!plan(context, planner) && context.stopped === null);
}

/** One step. False: the client has its end. */
async function advance(context: RequestContext, shared: EngineShared, planner: Planner): Promise<boolean> {
  const { ledger, plan: seen } = context;
  if (context.stopped === 'crash') throw context.thrown;
  if (isClientGone(context)) closeLeft(context, 'client_closed');
  else if (context.stopped === 'drain') answerDrain(context);
  else if (ledger !== null && seen !== null) {
    const step = choose(context, ledger, seen);
    if (step.type === 'send') {
      const chooseAgain = async (): Promise<NextStep> => {
        if (!plan(context, planner)) await readAndPlan(context, planner);
        return choose(context, ledger, context.plan ?? seen);
      };
      return goOn(context, await sendStep(context, shared, planner, step, chooseAgain));
    }
    if (step.type === 'wait') {
      await waitUntil(context, step);
      return true;
    }
    planner.giveBack();
    if (step.type === 'fail') return await endWith(context, step.ending);
  }
  return false;
}

/** True: what it waited for was too late, and the step is another one. */
async function endWith(context: RequestContext, ending: StopCause): Promise<boolean> {
  const wasStopped = context.stopped !== null;
  const waited = wasStopped ? null : prepareEnding(context);
  if (waited !== null) await waited;
  if (!wasStopped && context.stopped !== null) return true;
  answerEnding(context, ending);
  return false;
}

function choose(context: RequestContext, ledger: RequestLedger, plan: Plan): NextStep {
  const { busy, roundStartedAt, waitedFor, random, ports } = context;
  const now = ports.clock.now();
  return nextStep({ ledger, plan, policy: policyOf(context), now, random, roundStartedAt, busy, waitedFor });
}

function goOn(context: RequestContext, settled: Settled | null): boolean {
  if (settled === null || settled.next === 'go_on') return true;
  finish(context, settled);
  return false;
}

const isClientGone = ({ stopped }: RequestContext): boolean =>
  stopped === 'client_left' || stopped === 'client_stalled';

function policyOf(context: RequestContext): StepPolicy {
  const { options, model, request } = context.call;
  return {
    ...deadlinesOf(context),
    settings: model.settings,
    failover: options.failover,
    effects: request.effects,
    ...stateOf(context),
  };
}

/**
 * The state that the request leans on. Once somebody failed, what counts is the whole conversation where that is kept: the
 * next one gets it, and so may the one that does not know it by its id.
 */
function stateOf({ call, history, ledger }: RequestContext): Pick<StepPolicy, 'state'> {
  const { codec, request } = call;
  if (codec.readState === undefined) return {};
  const whole = ledger !== null && ledger.attempts.length > 0 ? (history?.whole() ?? null) : null;
  return whole === null
    ? { state: codec.readState(request) }
    : { state: { removable: true, bound: codec.readState(whole).bound } };
}

function recordStart(context: RequestContext): void {
  const { call, ports, plan, trace } = context;
  record(context, {
    type: 'request_started',
    request: call.id,
    at: call.receivedAt,
    owner: ports.owner,
    model: call.model.name,
    asked: call.asked,
    protocol: call.request.protocol,
    stream: call.request.stream,
    ...(call.kind === undefined ? {} : { kind: call.kind }),
    key: call.key,
    clientRequestId: call.clientRequestId,
    clientRetryOf: call.isClientRetry ? call.turn : null,
    plan,
    ...(trace === null ? {} : { trace: recordTrace(trace) }),
  });
}

async function waitUntil(context: RequestContext, step: Extract<NextStep, { type: 'wait' }>): Promise<void> {
  await sleep(context, step.untilAt);
  if (!step.newRound) return;
  context.roundStartedAt = context.ports.clock.now();
  context.waitedFor = step.route;
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
