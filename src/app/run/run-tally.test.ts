import { describe, expect, it } from 'vitest';
import { factsOf, foldFacts } from '../../../test/kit/facts.ts';
import { makeFailure } from '../../../test/kit/samples.ts';
import type { Fact, RequestLedger } from '../../core/attempt/ledger.ts';
import { UNKNOWN_USAGE } from '../../core/model/usage.ts';
import { countLost, countRequest, createRunTally, type RunTally } from './run-tally.ts';

type Started = Partial<Extract<Fact, { type: 'request_started' }>>;
type Ended = Partial<Extract<Fact, { type: 'request_ended' }>>;

const usage = { ...UNKNOWN_USAGE, inputTokens: 10, outputTokens: 5, source: 'reported' as const };

/** Served by `b/m`, after `a/m` failed where that is wanted. */
function served(id: string, { failover = false, ...started }: Started & { readonly failover?: boolean } = {}) {
  const facts = factsOf(id);
  const last = failover ? 2 : 1;
  return foldFacts([
    facts.started(started),
    ...(failover
      ? [
          facts.attempt(1),
          facts.attemptEnded(1, { outcome: 'overloaded', failure: makeFailure({ outcome: 'overloaded' }) }),
        ]
      : []),
    facts.attempt(last, { target: 'b/m' }),
    facts.head(last),
    facts.committed(last),
    facts.attemptEnded(last, { usage }),
    facts.ended({ servedBy: 'b/m' }),
  ]);
}

function failed(id: string, ended: Ended, started: Started = {}): RequestLedger {
  const facts = factsOf(id);
  const outcome = ended.outcome ?? 'overloaded';
  return foldFacts([
    facts.started(started),
    facts.attempt(1),
    facts.attemptEnded(1, { outcome, failure: makeFailure({ outcome }) }),
    facts.ended({ outcome, status: 503, component: 'target', ...ended }),
  ]);
}

function tallyOf(...requests: readonly RequestLedger[]): RunTally {
  const tally = createRunTally();
  for (const request of requests) countRequest(tally, request);
  return tally;
}

describe('the tally of a run', () => {
  it('counts who served, and a failover as no loss', () => {
    const tally = tallyOf(served('r1'), served('r2', { failover: true }));
    expect(tally).toMatchObject({ requests: 2, served: 2, recovered: 1, left: 0 });
    expect(tally.models.get('main')).toEqual({
      asked: 2,
      served: 2,
      lost: 0,
      tokens: { input: 20, output: 10, untold: 0 },
    });
    expect(tally.targets.get('b/m')).toMatchObject({ served: 2, attempts: 2, firstOutput: { count: 2 } });
    expect([...(tally.targets.get('a/m')?.failures ?? [])]).toEqual([['overloaded', 1]]);
    expect(tally.failovers).toMatchObject([{ id: 'r2', attempts: ['a/m overloaded', 'b/m ok 200'] }]);
    expect(countLost(tally)).toEqual({ capacity: 0, configuration: 0, gateway: 0, command: 0 });
  });

  it('counts what was lost by what is to be blamed', () => {
    const tally = tallyOf(
      failed('r1', { outcome: 'overloaded' }),
      failed('r2', { outcome: 'auth' }),
      failed('r3', { outcome: 'abandoned', component: 'gateway' }),
      failed('r4', { outcome: 'bad_request', component: 'client' }),
    );
    expect(countLost(tally)).toEqual({ capacity: 1, configuration: 1, gateway: 1, command: 1 });
    expect(tally.models.get('main')).toMatchObject({ asked: 4, served: 0, lost: 4 });
    expect(Object.fromEntries(tally.outcomes)).toEqual({ overloaded: 1, auth: 1, abandoned: 1, bad_request: 1 });
  });

  it('takes back what a client’s own repeat made good, with all repeats in between, and nothing else', () => {
    const lost = [
      failed('r1', {}),
      failed('r2', {}, { clientRetryOf: 'r1' }),
      failed('r3', {}),
      failed('r4', {}, { clientRetryOf: 'r3' }),
    ];
    expect(countLost(tallyOf(...lost)).capacity).toBe(4);
    const tally = tallyOf(...lost, served('r5', { clientRetryOf: 'r1' }));
    expect(countLost(tally).capacity).toBe(2);
    expect([...tally.lost.values()].filter(({ madeGood }) => madeGood).map(({ id }) => id)).toEqual(['r1', 'r2']);
  });

  it('knows those whose client has left before anything came', () => {
    const facts = factsOf('r1');
    const left = { outcome: 'client_closed', component: 'client' } as const;
    const open = [facts.started(), facts.attempt(1)];
    const unanswered = foldFacts([...open, facts.attemptEnded(1, { outcome: 'client_closed' }), facts.ended(left)]);
    const begun = foldFacts([
      ...open,
      facts.head(1),
      facts.committed(1),
      facts.attemptEnded(1, { outcome: 'client_closed' }),
      facts.ended(left),
    ]);
    expect(tallyOf(unanswered, begun)).toMatchObject({ requests: 2, left: 2, unanswered: 1, served: 0 });
    // Nobody told tokens of the one that had begun.
    expect(tallyOf(begun).models.get('main')?.tokens).toEqual({ input: 0, output: 0, untold: 1 });
  });

  it('keeps the gateway’s own probes apart', () => {
    const tally = tallyOf(served('r1', { kind: 'probe' }), failed('r2', {}, { kind: 'probe' }));
    expect(tally).toMatchObject({ requests: 0, served: 0, probes: 2 });
    expect([...tally.targets]).toEqual([]);
    expect(tally.lost.size).toBe(0);
  });

  it('is bounded in what it lists, and not in what it counts', () => {
    const many = Array.from({ length: 1100 }, (_, n) => failed(`r${n}`, {}, { model: `m${n}` }));
    const tally = tallyOf(...many, ...Array.from({ length: 150 }, (_, n) => served(`s${n}`, { failover: true })));
    expect([tally.lost.size, countLost(tally).capacity]).toEqual([1000, 1100]);
    expect([tally.failovers.length, tally.failoversBeyond]).toEqual([100, 50]);
    expect(tally.models.size).toBe(501);
  });
});
