import type { AttemptRecord, RequestLedger } from '../../core/attempt/ledger.ts';
import { requestUsage } from '../../core/attempt/usage.ts';
import type { Telemetry } from '../../port/telemetry.ts';
import { createCounters, createHistograms, type Source } from './cells.ts';
import { METRICS } from './metrics.ts';
import { resultOf } from './outcomes.ts';

export type EventOptions = {
  /** Label values of the names in a record. */
  readonly nameModel: (name: string) => string;
  readonly nameTarget: (id: string) => string;
  readonly nameProvider: (name: string) => string;
};

/** Counts what ends. */
export type Events = Pick<Telemetry, 'requestEnded' | 'attemptEnded' | 'probeEnded'> & {
  readonly sources: readonly Source[];
};

export function createEvents({ nameModel, nameTarget, nameProvider }: EventOptions): Events {
  const requests = createCounters(METRICS.requests);
  const durations = createHistograms(METRICS.requestDuration);
  const attempts = createCounters(METRICS.attempts);
  const attemptDurations = createHistograms(METRICS.attemptDuration);
  const probes = createCounters(METRICS.probes);
  const answers = createAnswers();
  return {
    sources: [requests, durations, ...answers.sources, attempts, attemptDurations, probes],
    requestEnded(request) {
      const { started, ended } = request;
      // No client has asked for a probe; its attempt counts as any other.
      if (ended === null || started.kind === 'probe') return;
      const model = nameModel(started.model);
      const stream = started.stream ? 'true' : 'false';
      requests.at(model, started.protocol, stream, ended.outcome, statusClass(ended.status)).value++;
      if (request.attempts.length === 0) return;
      durations.observe(ended.at - started.at, model, stream);
      answers.count(request, model, stream);
    },
    attemptEnded(_started, { target, outcome, startedAt, endedAt }) {
      if (outcome === null || endedAt === null) return;
      const name = nameTarget(target);
      attempts.at(name, outcome).value++;
      const result = resultOf(outcome);
      if (result !== null) attemptDurations.observe(endedAt - startedAt, name, result);
    },
    probeEnded({ target, state }) {
      probes.at(nameProvider(providerOf(target)), state).value++;
    },
  };
}

type Answers = {
  readonly sources: readonly Source[];
  /** Of a request with attempts: what came of them for the client. */
  count(request: RequestLedger, model: string, stream: 'true' | 'false'): void;
};

function createAnswers(): Answers {
  const firstOutputs = createHistograms(METRICS.firstOutput);
  const rescued = createCounters(METRICS.rescued);
  const failoverAdded = createHistograms(METRICS.failoverAdded);
  const inputTokens = createCounters(METRICS.inputTokens);
  const outputTokens = createCounters(METRICS.outputTokens);
  const usageUnknown = createCounters(METRICS.usageUnknown);

  const countTokens = (request: RequestLedger, model: string): void => {
    const usage = requestUsage(request);
    if (usage === null) return;
    const { inputTokens: input, outputTokens: output } = usage;
    // A series that begins at 0 lets `rate()` see its first step.
    inputTokens.at(model).value += input ?? 0;
    outputTokens.at(model).value += output ?? 0;
    usageUnknown.at(model).value += input === null || output === null ? 1 : 0;
  };

  return {
    sources: [firstOutputs, rescued, failoverAdded, inputTokens, outputTokens, usageUnknown],
    count(request, model, stream) {
      const { attempts, committed, ended, started } = request;
      const wasRescued = ended !== null && resultOf(ended.outcome) === 'ok' && attempts.some(isFailed);
      rescued.at(model).value += wasRescued ? 1 : 0;
      const served = committed === null ? undefined : attempts[committed - 1];
      if (served === undefined) return;
      if (served.committedAt !== null) firstOutputs.observe(served.committedAt - started.at, model, stream);
      const first = firstOf(attempts);
      if (first !== undefined && isFailed(first)) failoverAdded.observe(served.startedAt - first.startedAt, model);
      countTokens(request, model);
    },
  };
}

const providerOf = (target: string): string => target.split('/', 1)[0] ?? '';

const isFailed = ({ outcome }: AttemptRecord): boolean => outcome !== null && resultOf(outcome) === 'failed';

/** A stale connection is no attempt that anybody could have answered. */
const firstOf = (attempts: readonly AttemptRecord[]): AttemptRecord | undefined =>
  attempts.find(({ outcome }) => outcome !== 'stale_socket');

const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

const statusClass = (status: number | null): string => STATUS_CLASSES[Math.floor((status ?? 0) / 100)] ?? 'none';
