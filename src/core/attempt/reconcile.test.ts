import { describe, expect, it } from 'vitest';
import { factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import type { Usage } from '../model/usage.ts';
import type { RequestLedger } from './ledger.ts';
import { addReconciliations, EMPTY_RECONCILIATION, MAX_BREACHES, reconcileRequests } from './reconcile.ts';

const alive = () => true;
const dead = () => false;

const usage = (inputTokens: number | null, outputTokens: number | null): Usage => ({
  inputTokens,
  outputTokens,
  reasoningTokens: null,
  cachedTokens: 0,
  cacheWriteTokens: null,
  source: 'reported',
});

/** Two attempts, the second one serves. */
function failedOver(id: string): RequestLedger {
  const facts = factsOf(id);
  return foldFacts([
    facts.started(),
    facts.attempt(1),
    facts.attemptEnded(1, { outcome: 'server_error', usage: usage(10, 1) }),
    facts.attempt(2),
    facts.head(2),
    facts.committed(2),
    facts.attemptEnded(2, { usage: usage(100, null) }),
    facts.ended(),
  ]);
}

const laws = (ledger: RequestLedger, isAlive = alive): readonly string[] =>
  reconcileRequests([ledger], isAlive).breaches.map(
    ({ law, attempt }) => `${law}${attempt === null ? '' : ` ${attempt}`}`,
  );

/** A record that no fact could have made. */
const broken = (id: string, change: Partial<RequestLedger>): RequestLedger => ({ ...failedOver(id), ...change });

describe('reconcileRequests', () => {
  it('counts what there is', () => {
    const rejected = factsOf('no');
    const open = factsOf('open');
    const check = reconcileRequests(
      [
        failedOver('r1'),
        foldFacts([rejected.started(), rejected.ended({ outcome: 'rejected', rejected: true, servedBy: null })]),
        foldFacts([open.started(), open.attempt()]),
      ],
      alive,
    );
    expect(check).toMatchObject({
      requests: { total: 3, open: 1, ended: 2, rejected: 1, abandoned: 0 },
      attempts: { total: 3, open: 1, ended: 2, committed: 1, abandoned: 0 },
      breachCount: 0,
      breaches: [],
    });
  });

  it('sums what was delivered apart from what was paid, and never takes unknown for 0', () => {
    const { delivered, all } = reconcileRequests([failedOver('r1'), foldFacts(wholeRequest('r2'))], alive).usage;
    expect(delivered).toEqual({
      answers: 2,
      unknown: 1,
      inputTokens: 100,
      outputTokens: null,
      reasoningTokens: null,
      cachedTokens: 0,
      cacheWriteTokens: null,
    });
    expect(all).toMatchObject({ answers: 3, unknown: 1, inputTokens: 110, outputTokens: 1 });
  });

  it('finds nothing in what facts can make', () => {
    expect(laws(failedOver('r1'), dead)).toEqual([]);
  });

  it('finds what has no end though its owner is dead', () => {
    const facts = factsOf('r');
    const open = foldFacts([facts.started(), facts.attempt()]);
    expect(laws(open, alive)).toEqual([]);
    expect(laws(open, dead)).toEqual(['attempt_without_end 1', 'request_without_end']);
  });

  it('finds every law that rows may break', () => {
    const { attempts, ended } = failedOver('r');
    const [one, two] = attempts;
    if (one === undefined || two === undefined || ended === null) throw new Error('no attempts');
    expect(laws(broken('r', { attempts: [two] }))).toEqual(['attempt_missing 1']);
    expect(laws(broken('r', { attempts: [{ ...one, outcome: null }, two] }))).toEqual(['attempt_without_end 1']);
    expect(laws(broken('r', { attempts: [{ ...one, committedAt: 1 }, two] }))).toEqual(['second_commit 1']);
    expect(laws(broken('r', { committed: 3 }))).toEqual(['second_commit 2', 'commit_unknown 3']);
    expect(
      laws(
        broken('r', {
          attempts: [
            { ...one, committedAt: 1 },
            { ...two, committedAt: null },
          ],
          committed: 1,
        }),
      ),
    ).toEqual(['attempt_after_commit 2']);
    expect(laws(broken('r', { ended: { ...ended, rejected: true } }))).toEqual(['rejected_with_attempts']);
    expect(laws(broken('r', { ended: { ...ended, servedBy: 'b/m' } }))).toEqual(['served_by_other 2']);
  });

  it('can be added up', () => {
    const [one, other] = [failedOver('r1'), foldFacts(wholeRequest('r2'))];
    const apart = addReconciliations(reconcileRequests([one], alive), reconcileRequests([other], alive));
    expect(apart).toEqual(reconcileRequests([one, other], alive));
    expect(addReconciliations(EMPTY_RECONCILIATION, apart)).toEqual(apart);
  });

  it('names a thousand breaches and counts the rest', () => {
    const facts = factsOf('r');
    const open = foldFacts([facts.started()]);
    const check = reconcileRequests(
      Array.from({ length: MAX_BREACHES + 5 }, () => open),
      dead,
    );
    expect(check.breachCount).toBe(MAX_BREACHES + 5);
    expect(check.breaches).toHaveLength(MAX_BREACHES);
  });
});
