import type { AttemptRecord, Fact, RequestLedger } from '../../src/core/attempt/ledger.ts';
import { recordFact } from '../../src/core/attempt/record-fact.ts';

type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>;
type Change<T extends Fact['type']> = Partial<FactOf<T>>;

/** Facts of one request with everything filled in; a test names only what it is about. */
export function factsOf(request: string, at = 1_700_000_000_000) {
  return {
    started: (change: Change<'request_started'> = {}): FactOf<'request_started'> => ({
      type: 'request_started',
      request,
      at,
      owner: { boot: 'boot', worker: 0 },
      model: 'main',
      asked: 'main',
      protocol: 'openai-chat',
      stream: false,
      key: null,
      clientRequestId: null,
      clientRetryOf: null,
      plan: null,
      ...change,
    }),
    attempt: (n = 1, change: Change<'attempt_started'> = {}): FactOf<'attempt_started'> => ({
      type: 'attempt_started',
      request,
      at: at + n * 10,
      n,
      route: 'a/m#default',
      target: 'a/m',
      credential: 'default',
      endpoint: 'a.test:443',
      why: 'first in plan',
      charged: true,
      trial: false,
      plan: null,
      ...change,
    }),
    head: (n = 1, status = 200): FactOf<'head'> => ({ type: 'head', request, at: at + n * 10 + 2, n, status }),
    committed: (n = 1): FactOf<'committed'> => ({ type: 'committed', request, at: at + n * 10 + 4, n }),
    attemptEnded: (n = 1, change: Change<'attempt_ended'> = {}): FactOf<'attempt_ended'> => ({
      type: 'attempt_ended',
      request,
      at: at + n * 10 + 6,
      n,
      outcome: 'ok',
      phase: 'done',
      failure: null,
      reason: null,
      usage: null,
      cooldownUntil: null,
      ...change,
    }),
    ended: (change: Change<'request_ended'> = {}): FactOf<'request_ended'> => ({
      type: 'request_ended',
      request,
      at: at + 100,
      outcome: 'ok',
      status: 200,
      component: null,
      reason: null,
      servedBy: 'a/m',
      edits: [],
      skipped: [],
      rejected: false,
      ...change,
    }),
  };
}

/** A request that one attempt served. */
export function wholeRequest(request: string, at?: number, change: Change<'request_started'> = {}): readonly Fact[] {
  const facts = factsOf(request, at);
  return [facts.started(change), facts.attempt(), facts.head(), facts.committed(), facts.attemptEnded(), facts.ended()];
}

/** The ledger that facts add up to. Throws when they break a law. */
export function foldFacts(facts: readonly Fact[]): RequestLedger {
  let ledger: RequestLedger | null = null;
  for (const fact of facts) {
    const recorded = recordFact(ledger, fact);
    if (recorded.violation !== null) throw new Error(recorded.violation);
    ledger = recorded.ledger;
  }
  if (ledger === null) throw new Error('no facts');
  return ledger;
}

export function attemptOf(ledger: RequestLedger, n: number): AttemptRecord {
  const attempt = ledger.attempts[n - 1];
  if (attempt === undefined) throw new Error(`no attempt ${n}`);
  return attempt;
}
