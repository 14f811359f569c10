import { openTrace, recordTrace } from '../core/trace/index.ts';
import type { Downstream } from '../port/downstream.ts';
import { answerCrash } from './answer-client.ts';
import { createAnswerMap } from './answer-map.ts';
import { guardPorts } from './guard-ports.ts';
import { createHoldings } from './holdings.ts';
import type { Engine, EnginePorts } from './index.ts';
import { createLimiter } from './limiter.ts';
import { createPlannerPool } from './planner.ts';
import { createNobody, probeCall } from './probe.ts';
import { createRecall } from './recall.ts';
import { createRequestContext, type RequestContext, stopRequest } from './request-context.ts';
import { createResponseStore } from './response-store.ts';
import { serveRequest } from './serve-request.ts';
import type { EngineShared } from './shared.ts';
import { tellDrops } from './tell-drops.ts';
import type { Call, Rejection } from './types.ts';

/** The gateway's only loop, over ports: with real ones it serves, with simulated ones it runs in virtual time. */
export function createEngine(given: EnginePorts): Engine {
  const ports = guardPorts(given);
  const answers = createAnswerMap();
  const responses = createResponseStore();
  const shared: EngineShared = {
    responses,
    limiter: createLimiter(ports.clock),
    planners: createPlannerPool(() => ports.health.snapshot(), answers, responses),
  };
  const underway = new Set<RequestContext>();
  const holdings = createHoldings();

  const serve = async (call: Call, downstream: Downstream): Promise<RequestContext> => {
    const context = createRequestContext(call, ports, downstream, holdings.open());
    underway.add(context);
    try {
      await serveRequest(context, shared);
    } catch (error) {
      answerCrash(context, error);
    } finally {
      context.wake.stop();
      context.translations.forget();
      context.holding.close();
      underway.delete(context);
    }
    if (context.ledger?.ended != null) ports.telemetry.requestEnded(context.ledger);
    return context;
  };

  return {
    async serve(call, downstream) {
      await serve(call, downstream);
    },
    async probe(probe) {
      const call = probeCall(probe, ports.clock.now());
      if (call === null) return { record: null, hasOutput: false };
      const nobody = createNobody();
      const served = serve(call, nobody);
      probe.onStart?.(() => nobody.leave());
      const { ledger, hasOutput } = await served;
      return { record: ledger, hasOutput };
    },
    reject: (rejection) => recordRejection(ports, rejection),
    plan: (call) => tellDrops(shared.planners.create(call).plan(ports.clock.now(), 0), call),
    ...createRecall({ answers, responses }, ports.clock),
    inFlight: () => underway.size,
    buffered: () => holdings.total,
    abandonAll() {
      for (const context of underway) stopRequest(context, 'drain');
    },
  };
}

/** A request that never became an attempt has a record too. */
function recordRejection(ports: EnginePorts, rejection: Rejection): void {
  const { ledger, owner, telemetry, clock, sampling, random } = ports;
  const { id, receivedAt, protocol, model, stream, kind, key, clientRequestId, status, component, reason } = rejection;
  const started = {
    type: 'request_started',
    request: id,
    at: receivedAt,
    owner,
    model,
    asked: model === '' ? null : model,
    protocol,
    stream,
    ...(kind === undefined ? {} : { kind }),
    key,
    clientRequestId,
    clientRetryOf: null,
    plan: null,
    ...(sampling === undefined
      ? {}
      : { trace: recordTrace(openTrace(rejection.forward ?? {}, sampling, () => random.next())) }),
  } as const;
  const ended = {
    type: 'request_ended',
    request: id,
    at: clock.now(),
    outcome: 'rejected',
    status,
    component,
    reason,
    servedBy: null,
    edits: [],
    skipped: [],
    rejected: true,
  } as const;
  ledger.append(started);
  ledger.append(ended);
  telemetry.requestEnded({ id, started, attempts: [], committed: null, ended, plans: [] });
}
