import type { MetricDefinition } from '../../src/adapter/telemetry-prometheus/metrics.ts';
import {
  createPrometheusTelemetry,
  type PrometheusTelemetryOptions,
} from '../../src/adapter/telemetry-prometheus/prometheus-telemetry.ts';
import type { RequestLedger } from '../../src/core/attempt/ledger.ts';
import type { Usage } from '../../src/core/model/usage.ts';
import type { LedgerBacklog } from '../../src/port/ledger-store.ts';
import { factsOf, foldFacts } from './facts.ts';

export const AT = 1_700_000_000_000;

/** A ledger in trouble. */
export const BACKLOG: LedgerBacklog = {
  facts: 17,
  journalBytes: 4_096,
  failures: { journal: 0, database: 2, thread: 1 },
  writtenAt: AT,
  isTroubled: true,
};

/** Telemetry that knows the model `main` and the targets `a/m` and `b/m`, and its page. */
export function createMetered(options: Partial<PrometheusTelemetryOptions> = {}) {
  const telemetry = createPrometheusTelemetry({
    version: '1.2.3',
    isModel: (name) => name === 'main',
    isTarget: (id) => ['a/m', 'b/m'].includes(id),
    isProvider: (name) => ['a', 'b'].includes(name),
    now: () => AT,
    inFlight: () => 0,
    buffered: () => 0,
    scopes: () => [],
    violations: () => 0,
    backlog: () => null,
    droppedLines: () => 0,
    ...options,
  });
  const page = async () => (await telemetry.render()).body;
  return {
    telemetry,
    page,
    /** As the engine tells it: each attempt at its end, then the request. */
    tell: (request: RequestLedger): void => {
      for (const attempt of request.attempts) telemetry.attemptEnded(request.started, attempt);
      telemetry.requestEnded(request);
    },
    /** The lines of one metric, without its comments. */
    lines: async ({ name }: MetricDefinition) =>
      (await page()).split('\n').filter((line) => line.startsWith(name) && !/_bucket.* 0$/.test(line)),
  };
}

export const PROBE = {
  route: 'a/m#k',
  target: 'a/m',
  credential: 'k',
  endpoint: 'h.test:443',
  model: null,
  outcome: 'ok',
  status: 200,
  escalated: false,
  ms: 1,
  tokens: 2,
  request: null,
} as const;

export const usage = (change: Partial<Usage>): Usage => ({
  inputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  source: 'reported',
  ...change,
});

/** The first attempt is overloaded, the second one answers. */
export function rescuedRequest(id: string): RequestLedger {
  const facts = factsOf(id, AT);
  return foldFacts([
    facts.started({ stream: true }),
    facts.attempt(1),
    facts.head(1, 529),
    facts.attemptEnded(1, { outcome: 'overloaded', phase: 'preflight' }),
    { ...facts.attempt(2, { target: 'b/m' }), at: AT + 1_260 },
    { ...facts.head(2), at: AT + 1_300 },
    { ...facts.committed(2), at: AT + 1_400 },
    { ...facts.attemptEnded(2, { usage: usage({ inputTokens: 12, outputTokens: 3 }) }), at: AT + 2_400 },
    { ...facts.ended({ servedBy: 'b/m' }), at: AT + 2_500 },
  ]);
}
